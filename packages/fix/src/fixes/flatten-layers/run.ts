import {
  type ImageEvent,
  interpretPage,
  isArray,
  isDict,
  isName,
  isRef,
  isString,
  type Layers,
  type OperatorEvent,
  type PathEvent,
  type PdfDict,
  type PdfValue,
  pdfDict,
  pdfRef,
  pdfText,
  type Run,
  readOptionalContent,
  rewriteDocument,
  type ShadingEvent,
  shownOnPage,
  type TextEvent,
} from '@pdf2press/pdf';
import { nameMatcher } from '../../editing/blacks.ts';
import { changeable } from '../../editing/boxes.ts';
import { pruneResources } from '../../editing/prune-resources.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import type { flattenLayers } from './contract.ts';

type Context = FixContext<typeof flattenLayers>;

export const run: FixRunner<typeof flattenLayers> = (context) => {
  const { file, edit, settings } = context;
  const properties = file.entry(file.catalog, 'OCProperties');
  if (!isDict(properties)) return;
  const optional = readOptionalContent(file);
  const shows = (layers: Layers): boolean => (settings.state === 'Print' ? layers.isPrinted : layers.isVisible);
  const showsOf = (value: PdfValue): boolean => shows(optional.enter(value, outside));
  const kept = keptGroups(context, properties, showsOf);
  declareDoubtful(context, optional);
  // Layers belong to the document: pages outside the range would show their hidden content without them.
  rewriteDocument(file, { operator: createEditor(context, kept, shows, showsOf) });
  dropHiddenAnnotations(context, kept, showsOf);
  dropKeys(context, kept);
  for (const [num, name] of groupsOf(context, properties)) {
    if (!kept.has(num))
      context.log({
        what: showsOf(pdfRef(num)) ? 'merged' : 'hidden',
        object: `${num} 0 R`,
        before: name,
        after: null,
        parameter: 'state',
      });
  }
  if (kept.size === 0) edit.putCatalog('OCProperties', undefined);
  else edit.putCatalog('OCProperties', keptProperties(context, properties, kept));
  edit.markChanged();
  pruneResources(edit, ['XObject', 'Pattern', 'Shading', 'Font']);
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

/**
 * Object numbers of layers that stay: by name, processing steps (ISO 19593-1), and hidden layers unless they are to be
 * removed.
 */
function keptGroups(context: Context, properties: PdfDict, showsOf: (layer: PdfValue) => boolean): Set<number> {
  const { settings, file } = context;
  const isNamed = nameMatcher(settings.keep);
  const isHidden = (num: number): boolean => !settings.removeHidden && !showsOf(pdfRef(num));
  const kept = [...groupsOf(context, properties)].flatMap(([num, name]) => {
    const group = file.get(num);
    const isStep = settings.keepProcessingSteps && isDict(group) && group.map.has('GTS_Metadata');
    return isStep || isNamed(name) || isHidden(num) ? [num] : [];
  });
  return new Set([...kept, ...(settings.removeHidden ? [] : memberships(file).filter(isHidden))]);
}

/** Object numbers of optional content membership dictionaries, whose visibility depends on several layers. */
function memberships(file: Context['file']): number[] {
  const found: number[] = [];
  for (let num = 1; num < file.objectCount; num += 1) {
    const value = file.get(num);
    if (isDict(value) && isName(value.map.get('Type'), 'OCMD')) found.push(num);
  }
  return found;
}

/** Content in no layer. */
const outside: Layers = { objects: [], names: [], isVisible: true, isPrinted: true };

const painting = new Set(['f', 'F', 'f*', 'S', 's', 'B', 'B*', 'b', 'b*', 'sh', 'Do', 'BI', 'Tj', 'TJ', "'", '"']);
const showing = new Set(['Tj', 'TJ', "'", '"']);

/** Removes the marked-content operators of removed layers, and painting operators of hidden ones. */
function createEditor(
  context: Context,
  kept: ReadonlySet<number>,
  showsIn: (layers: Layers) => boolean,
  showsOf: (layer: PdfValue) => boolean,
) {
  const { file } = context;
  /** For each run: whether the begin operator of each open marked-content sequence was removed. */
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
    if (!painting.has(op) || layers.objects.some((object) => kept.has(object))) return undefined;
    const shows = showsIn(layers);
    // A form's dictionary may put it into a layer; a hidden form is removed at its Do operator.
    const isHiddenForm = op === 'Do' && shows && hidesForm(event);
    if (shows && !isHiddenForm) return undefined;
    if (showing.has(op)) return { before: '3 Tr\n', after: `\n${state.text.mode} Tr\n` };
    return { replace: op === 'Do' || op === 'sh' || op === 'BI' ? '' : 'n' };
  };

  function hidesForm({ place, operands }: OperatorEvent): boolean {
    const name = operands.at(-1);
    const list = place.run.resources ? file.entry(place.run.resources, 'XObject') : null;
    const target = isName(name) && isDict(list) ? file.entry(list, name.name) : null;
    const layer = isDict(target) ? target.map.get('OC') : undefined;
    return layer !== undefined && !(isRef(layer) && kept.has(layer.num)) && !showsOf(layer);
  }
}

/**
 * The gate compares pictures of the screen view, which ignores memberships. Content that prints differently from what
 * it shows, or depends on a membership, is declared to look different.
 */
function declareDoubtful({ file, declare }: Context, { groups }: ReturnType<typeof readOptionalContent>): void {
  const plural = new Set(memberships(file));
  if (plural.size === 0 && groups.every((group) => group.isPrinted === group.isVisible)) return;
  const see = (event: TextEvent | PathEvent | ImageEvent | ShadingEvent): void => {
    const { isPrinted, isVisible, objects } = event.layers;
    if (isPrinted === isVisible && !objects.some((object) => plural.has(object))) return;
    const grow = event.kind === 'text' ? event.effectiveSize * 0.3 : event.kind === 'path' ? event.lineWidth + 0.5 : 0;
    const [x0, y0, x1, y1] = event.bbox;
    const { run } = event.place;
    declare(run.page, shownOnPage(run, [x0 - grow, y0 - grow, x1 + grow, y1 + grow]));
  };
  for (const page of file.pages)
    interpretPage(file, page.number, [{ text: see, path: see, image: see, shading: see }], { everyUse: true });
}

/** Removes annotations of hidden layers, which would become visible without their layer. */
function dropHiddenAnnotations(
  { file, edit }: Context,
  kept: ReadonlySet<number>,
  showsOf: (layer: PdfValue) => boolean,
): void {
  for (const page of changeable(file.pages)) {
    const { annotations } = file.pageNow(page.number);
    const stays = annotations.filter((entry) => {
      const annotation = file.resolve(entry);
      const layer = isDict(annotation) ? annotation.map.get('OC') : undefined;
      return layer === undefined || (isRef(layer) && kept.has(layer.num)) || showsOf(layer);
    });
    if (stays.length < annotations.length) edit.putPage(page, 'Annots', stays.length > 0 ? stays : undefined);
  }
}

function layerNamed({ file }: Context, run: Run, operand: PdfValue | undefined): number {
  const list = run.resources ? file.entry(run.resources, 'Properties') : null;
  const value = isName(operand) && isDict(list) ? list.map.get(operand.name) : undefined;
  return isRef(value) ? value.num : 0;
}

/** Removes /OC entries of forms, images and annotations that refer to removed layers. */
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
