import type { PdfFile } from '../open/pdf-file.ts';
import { pdfText } from '../open/text-string.ts';
import { isArray, isDict, isName, isRef, isString, type PdfDict, type PdfValue } from '../open/values.ts';
import type { Layers } from './types.ts';

/** The value for content outside any optional content. */
export const noLayers: Layers = { objects: [], names: [], isVisible: true, isPrinted: true };

/** One optional content group (layer) with its states in the default configuration. */
export interface LayerFacts {
  readonly object: number;
  readonly name: string;
  readonly isVisible: boolean;
  readonly isPrinted: boolean;
}

/** Optional content of one document. */
export interface OptionalContent {
  /** All optional content groups of the document in the order of /OCGs. */
  readonly groups: readonly LayerFacts[];
  /** The layers inside `value` (an OCG or OCMD) when it is nested in `outer`. Equal arguments give the same object. */
  readonly enter: (value: PdfValue | undefined, outer: Layers) => Layers;
}

interface State {
  isVisible: boolean;
  isPrinted: boolean;
}

/** Limit for nested visibility expressions. */
const maxDepth = 20;

/** Reads the optional content with its default configuration (ISO 32000-1, 8.11.4). */
export function readOptionalContent(file: PdfFile): OptionalContent {
  const properties = file.entry(file.catalog, 'OCProperties');
  const config = isDict(properties) ? file.entry(properties, 'D') : null;
  const list = isDict(properties) ? file.entry(properties, 'OCGs') : null;
  const base = isDict(config) ? file.entry(config, 'BaseState') : null;
  const on = new Set(refs(file, config, 'ON'));
  const off = new Set(refs(file, config, 'OFF'));
  const automatic = automaticGroups(file, config);

  const groups: LayerFacts[] = [];
  const states = new Map<number, LayerFacts>();
  for (const entry of isArray(list) ? list : []) {
    const dict = file.resolve(entry);
    if (!isRef(entry) || !isDict(dict) || states.has(entry.num)) continue;
    const isVisible = isName(base, 'OFF') ? on.has(entry.num) : !off.has(entry.num);
    const printState = automatic.has(entry.num) ? usageState(file, dict, 'Print', 'PrintState') : null;
    const name = file.entry(dict, 'Name');
    const group = {
      object: entry.num,
      name: isString(name) ? pdfText(name.bytes) : '',
      isVisible,
      isPrinted: printState ?? isVisible,
    };
    groups.push(group);
    states.set(entry.num, group);
  }

  const entered = new Map<Layers, Map<number, Layers>>();
  return {
    groups,
    enter(value, outer) {
      const object = isRef(value) ? value.num : 0;
      const known = entered.get(outer)?.get(object);
      if (known && object !== 0) return known;
      const dict = file.resolve(value);
      if (!isDict(dict)) return outer;
      const isMembership = isName(file.entry(dict, 'Type'), 'OCMD');
      const state = isMembership ? membership(file, dict, states) : states.get(object);
      const names = isMembership
        ? groupsOf(file, dict).flatMap((num) => states.get(num)?.name ?? [])
        : state && 'name' in state
          ? [(state as LayerFacts).name]
          : [];
      const layers: Layers = {
        objects: [...outer.objects, object],
        names: [...outer.names, ...names],
        // A group that is not listed in /OCGs cannot be switched off.
        isVisible: outer.isVisible && (state?.isVisible ?? true),
        isPrinted: outer.isPrinted && (state?.isPrinted ?? true),
      };
      if (object !== 0) {
        if (!entered.has(outer)) entered.set(outer, new Map());
        entered.get(outer)?.set(object, layers);
      }
      return layers;
    },
  };
}

function refs(file: PdfFile, dict: PdfValue, key: string): number[] {
  const list = isDict(dict) ? file.entry(dict, key) : null;
  return isArray(list) ? list.flatMap((entry) => (isRef(entry) ? [entry.num] : [])) : [];
}

/**
 * Groups whose Usage dictionary decides when printing: those in an /AS entry for the event Print (ISO 32000-1,
 * 8.11.4.4).
 */
function automaticGroups(file: PdfFile, config: PdfValue): Set<number> {
  const list = isDict(config) ? file.entry(config, 'AS') : null;
  const groups = new Set<number>();
  for (const entry of isArray(list) ? list : []) {
    const usage = file.resolve(entry);
    if (isDict(usage) && isName(file.entry(usage, 'Event'), 'Print'))
      for (const num of refs(file, usage, 'OCGs')) groups.add(num);
  }
  return groups;
}

function usageState(file: PdfFile, group: PdfDict, category: string, key: string): boolean | null {
  const usage = file.entry(group, 'Usage');
  const entry = isDict(usage) ? file.entry(usage, category) : null;
  const state = isDict(entry) ? file.entry(entry, key) : null;
  return isName(state) ? state.name === 'ON' : null;
}

/** Object numbers of the groups that a membership dictionary (OCMD) names; those of its visibility expression are not among them. */
export function groupsOf(file: PdfFile, membershipDict: PdfDict): number[] {
  const value = membershipDict.map.get('OCGs');
  if (isRef(value) && isDict(file.resolve(value))) return [value.num];
  return refs(file, membershipDict, 'OCGs');
}

/** State of a membership dictionary: by its visibility expression, else by its policy (ISO 32000-1, 8.11.2.2). */
function membership(file: PdfFile, dict: PdfDict, states: ReadonlyMap<number, State>): State {
  const expression = file.entry(dict, 'VE');
  if (isArray(expression)) {
    return {
      isVisible: evaluate(file, expression, states, 'isVisible', 0),
      isPrinted: evaluate(file, expression, states, 'isPrinted', 0),
    };
  }
  const members = groupsOf(file, dict).flatMap((num) => states.get(num) ?? []);
  const policy = file.entry(dict, 'P');
  const decide = policies[isName(policy) ? policy.name : 'AnyOn'] ?? policies.AnyOn;
  const by = (key: keyof State): boolean =>
    members.length === 0 || !decide ? true : decide(members.map((member) => member[key]));
  return { isVisible: by('isVisible'), isPrinted: by('isPrinted') };
}

const policies: Readonly<Record<string, (on: readonly boolean[]) => boolean>> = {
  AllOn: (on) => on.every(Boolean),
  AnyOn: (on) => on.some(Boolean),
  AnyOff: (on) => on.some((state) => !state),
  AllOff: (on) => on.every((state) => !state),
};

function evaluate(
  file: PdfFile,
  value: PdfValue | undefined,
  states: ReadonlyMap<number, State>,
  key: keyof State,
  depth: number,
): boolean {
  if (isRef(value) && states.has(value.num)) return states.get(value.num)?.[key] ?? true;
  const list = file.resolve(value);
  if (!isArray(list) || depth > maxDepth) return true;
  const operator = file.resolve(list[0]);
  const operands = (): boolean[] => list.slice(1).map((entry) => evaluate(file, entry, states, key, depth + 1));
  if (isName(operator, 'Not')) return !(operands()[0] ?? false);
  if (isName(operator, 'And')) return operands().every(Boolean);
  return operands().some(Boolean);
}
