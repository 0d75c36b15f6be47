import {
  interpretPage,
  isArray,
  isDict,
  isName,
  isRef,
  isString,
  type OperatorEvent,
  type PdfDict,
  type PdfValue,
  pdfDict,
  pdfText,
  type Run,
  rewriteDocument,
} from '@pdf2press/pdf';
import { nameMatcher } from '../frame/blacks.ts';
import { pruneResources } from '../frame/prune-resources.ts';
import type { FixContext, FixRunner } from '../runner.ts';

type Context = FixContext<'FlattenLayers'>;

export const run: FixRunner<'FlattenLayers'> = (context) => {
  const { file, edit, settings } = context;
  const properties = file.entry(file.catalog, 'OCProperties');
  if (!isDict(properties)) return;
  const kept = keptGroups(context, properties);
  const visibility = readVisibility(context);
  rewriteDocument(file, {
    pages: context.pages,
    annotations: context.touches('annotation'),
    operator: createEditor(context, kept),
  });
  dropKeys(context, kept);
  for (const [num, name] of groupsOf(context, properties)) {
    if (!kept.has(num))
      context.log({
        what: visibility.get(num) === false ? 'hidden' : 'merged',
        object: `${num} 0 R`,
        before: name,
        after: null,
        parameter: 'state',
      });
  }
  if (kept.size === 0) edit.putCatalog('OCProperties', undefined);
  else edit.putCatalog('OCProperties', keptProperties(context, properties, kept));
  edit.markChanged();
  if (settings.removeHidden) pruneResources(edit, ['XObject', 'Pattern', 'Shading', 'Font']);
};

function groupsOf({ file }: Context, properties: PdfDict): Map<number, string> {
  const list = file.entry(properties, 'OCGs');
  const groups = new Map<number, string>();
  if (!isArray(list)) return groups;
  for (const entry of list) {
    const group = file.resolve(entry);
    if (!isRef(entry) || !isDict(group)) continue;
    const name = file.entry(group, 'Name');
    groups.set(entry.num, isString(name) ? pdfText(name.bytes) : '');
  }
  return groups;
}

/** Layers that stay: by name, and those of processing steps (ISO 19593-1), which are no artwork. */
function keptGroups(context: Context, properties: PdfDict): Set<number> {
  const { settings, file } = context;
  const isNamed = nameMatcher(settings.keep);
  return new Set(
    [...groupsOf(context, properties)].flatMap(([num, name]) => {
      const group = file.get(num);
      const isStep = settings.keepProcessingSteps && isDict(group) && group.map.has('GTS_Metadata');
      return isStep || isNamed(name) ? [num] : [];
    }),
  );
}

/** Whether each layer shows, as the walk says it: by the objects around what is painted. */
function readVisibility(context: Context): Map<number, boolean> {
  const visible = new Map<number, boolean>();
  for (const page of context.pages) {
    interpretPage(context.file, page, [
      {
        mark({ layers }) {
          const shows = context.settings.state === 'Print' ? layers.isPrinted : layers.isVisible;
          const last = layers.objects.at(-1);
          if (last !== undefined) visible.set(last, shows);
        },
        operator({ layers }) {
          const shows = context.settings.state === 'Print' ? layers.isPrinted : layers.isVisible;
          const last = layers.objects.at(-1);
          if (last !== undefined && !visible.has(last)) visible.set(last, shows);
        },
      },
    ]);
  }
  return visible;
}

const painting = new Set(['f', 'F', 'f*', 'S', 's', 'B', 'B*', 'b', 'b*', 'sh', 'Do', 'BI', 'Tj', 'TJ', "'", '"']);
const showing = new Set(['Tj', 'TJ', "'", '"']);

/** Takes out the marks of layers that go, and what hidden ones paint. */
function createEditor(context: Context, kept: ReadonlySet<number>) {
  const { settings, file } = context;
  /** Per run, for each open mark whether it was taken out. */
  const open = new Map<Run, boolean[]>();
  return (event: OperatorEvent) => {
    const { place, operands, layers, state } = event;
    const { op, run } = place;
    if (op === 'BMC' || op === 'BDC') {
      const isLayer = op === 'BDC' && isName(operands[0], 'OC');
      const target = isLayer ? layerNamed(context, run, operands[1]) : 0;
      const goes = isLayer && !kept.has(target);
      const stack = open.get(run) ?? [];
      stack.push(goes);
      open.set(run, stack);
      return goes ? { replace: '' } : undefined;
    }
    if (op === 'EMC') return open.get(run)?.pop() ? { replace: '' } : undefined;
    if (!painting.has(op) || !settings.removeHidden || layers.objects.some((object) => kept.has(object)))
      return undefined;
    const shows = settings.state === 'Print' ? layers.isPrinted : layers.isVisible;
    // A form may belong to a layer itself: its dictionary says so, and it is taken out where it is drawn.
    const isHiddenForm = op === 'Do' && shows && hidesForm(context, event, kept);
    if (shows && !isHiddenForm) return undefined;
    if (showing.has(op)) return { before: '3 Tr\n', after: `\n${state.text.mode} Tr\n` };
    return { replace: op === 'Do' || op === 'sh' || op === 'BI' ? '' : 'n' };
  };

  function hidesForm(_: Context, { place, operands }: OperatorEvent, keep: ReadonlySet<number>): boolean {
    const name = operands.at(-1);
    const list = place.run.resources ? file.entry(place.run.resources, 'XObject') : null;
    const target = isName(name) && isDict(list) ? file.entry(list, name.name) : null;
    const layer = isDict(target) ? target.map.get('OC') : undefined;
    if (layer === undefined || (isRef(layer) && keep.has(layer.num))) return false;
    return !groupShows(context, layer);
  }
}

/** By the default configuration: OFF lists and BaseState; a membership shows when any of its groups does. */
function groupShows({ file }: Context, value: PdfValue): boolean {
  const dict = file.resolve(value);
  if (!isDict(dict)) return true;
  if (isName(dict.map.get('Type'), 'OCMD')) {
    const groups = dict.map.get('OCGs');
    const list = file.resolve(groups);
    const each: readonly PdfValue[] = isArray(list) ? list : groups === undefined ? [] : [groups];
    return each.length === 0 || each.some((group) => groupShows({ file } as Context, group));
  }
  const properties = file.entry(file.catalog, 'OCProperties');
  const config = isDict(properties) ? file.entry(properties, 'D') : null;
  if (!isDict(config) || !isRef(value)) return true;
  const isListed = (key: string): boolean => {
    const list = file.entry(config, key);
    return isArray(list) && list.some((entry) => isRef(entry) && entry.num === value.num);
  };
  return isName(file.entry(config, 'BaseState'), 'OFF') ? isListed('ON') : !isListed('OFF');
}

function layerNamed({ file }: Context, run: Run, operand: PdfValue | undefined): number {
  const list = run.resources ? file.entry(run.resources, 'Properties') : null;
  const value = isName(operand) && isDict(list) ? list.map.get(operand.name) : undefined;
  return isRef(value) ? value.num : 0;
}

/** /OC of forms, images and annotations that no longer means anything. */
function dropKeys({ file, edit }: Context, kept: ReadonlySet<number>): void {
  for (let num = 1; num < file.objectCount; num += 1) {
    const value = file.get(num);
    const layer = isDict(value) ? value.map.get('OC') : undefined;
    if (layer !== undefined && !(isRef(layer) && kept.has(layer.num))) edit.put(num, 'OC', undefined);
  }
}

function keptProperties({ file }: Context, properties: PdfDict, kept: ReadonlySet<number>): PdfDict {
  const only = (value: PdfValue | undefined): PdfValue => {
    const list = file.resolve(value);
    return isArray(list)
      ? list.flatMap((entry) =>
          isRef(entry) ? (kept.has(entry.num) ? [entry] : []) : isArray(file.resolve(entry)) ? [only(entry)] : [entry],
        )
      : (value ?? null);
  };
  const config = file.entry(properties, 'D');
  const lists = ['ON', 'OFF', 'Order', 'Locked', 'RBGroups'] as const;
  const entries = isDict(config)
    ? Object.fromEntries(
        lists.filter((key) => config.map.has(key)).map((key): [string, PdfValue] => [key, only(config.map.get(key))]),
      )
    : {};
  return pdfDict(
    {
      OCGs: only(properties.map.get('OCGs')),
      D: isDict(config) ? pdfDict({ ...entries, AS: undefined }, config) : pdfDict({}),
      Configs: undefined,
    },
    properties,
  );
}
