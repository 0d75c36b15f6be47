/** What an action can be told, for whoever writes profiles by hand: names, defaults and what may stand there. */
import {
  type AppliesWhen,
  type Condition,
  conditionsOf,
  fromPoints,
  type Locale,
  type Unit,
  unitSymbols,
} from '@pdf2press/contract';
import { type FixKey, fixContracts } from '../fixes/contracts.ts';
import { isTree, jsonOf } from '../preflight/setting-unit.ts';
import { fixActionLabel } from './sentences.ts';
import { allowedIn } from './setting-fault.ts';

export interface FixParameter {
  /** Path with dots: `amount.left`. */
  name: string;
  /** As the form calls it. */
  label: string;
  /** As it is written; empty for nothing. */
  initial: string;
  /** `0 – 100 mm`, or the words that are known; empty for free text. */
  allowed: string;
  /** Where it counts, if not everywhere: one of these, by paths with dots. */
  appliesWhen?: readonly Condition[];
}

export interface FixDescription {
  key: FixKey;
  label: string;
  help: string;
  parameters: FixParameter[];
}

/** Lengths are told in `unit`; labels in the reader's language. */
export function describeFix(key: FixKey, locale: Locale, unit: Unit): FixDescription {
  const { settings, messages } = fixContracts[key];
  const say = (code: string): string | undefined => messages[locale][code] ?? messages.en[code];
  const labelOf = (path: readonly string[]): string =>
    path.flatMap((_, at) => say(`settings.${path.slice(0, at + 1).join('.')}.label`) ?? []).join(' › ');
  const leaves = (
    node: unknown,
    value: unknown,
    path: readonly string[],
    outer?: readonly Condition[],
  ): FixParameter[] => {
    if (!isTree(node)) return [];
    const own = node.appliesWhen as AppliesWhen | undefined;
    const appliesWhen = own ? conditionsOf(own).map((condition) => within(condition, path.slice(0, -1))) : outer;
    if (isTree(node.properties))
      return Object.entries(node.properties).flatMap(([name, inner]) =>
        leaves(inner, isTree(value) ? value[name] : undefined, [...path, name], appliesWhen),
      );
    const initial = written(value, node.unit, unit);
    const allowed = allowedIn(node, unit);
    return [{ name: path.join('.'), label: labelOf(path), initial, allowed, ...(appliesWhen && { appliesWhen }) }];
  };
  const parameters = leaves(jsonOf(settings), settings.parse({}), []);
  return { key, label: fixActionLabel(key, locale), help: say('help') ?? '', parameters };
}

/** Names beside a setting as they are from the root. */
const within = (condition: Condition, path: readonly string[]): Condition =>
  Object.fromEntries(Object.entries(condition).map(([name, values]) => [[...path, name].join('.'), values]));

const suffixes: Readonly<Record<string, string>> = { points: 'pt', percent: '%', ppi: 'ppi', dpi: 'dpi' };

/** A default as one would write it. */
function written(value: unknown, kind: unknown, unit: Unit): string {
  if (Array.isArray(value)) return value.map((entry) => written(entry, kind, unit)).join(',');
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  if (typeof value !== 'number') return value === undefined ? '' : String(value);
  if (kind === 'length') return `${Math.round(fromPoints(value, unit) * 1000) / 1000}${unitSymbols[unit]}`;
  return `${value}${suffixes[String(kind)] ?? ''}`;
}
