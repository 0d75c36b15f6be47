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
  type TextEvent,
} from '@pdf2press/pdf';
import { nameMatcher } from '../frame/blacks.ts';
import { changeable } from '../frame/boxes.ts';
import { pruneResources } from '../frame/prune-resources.ts';
import type { FixContext, FixRunner } from '../runner.ts';

type Context = FixContext<'FlattenLayers'>;

export const run: FixRunner<'FlattenLayers'> = (context) => {
  const { file, edit, settings } = context;
  const properties = file.entry(file.catalog, 'OCProperties');
  if (!isDict(properties)) return;
  const optional = readOptionalContent(file);
  const shows = (layers: Layers): boolean => (settings.state === 'Print' ? layers.isPrinted : layers.isVisible);
  const showsOf = (value: PdfValue): boolean => shows(optional.enter(value, outside));
  const kept = keptGroups(context, properties, showsOf);
  declareDoubtful(context, optional);
  // Layers are the document's, not a page's: what one hides would show on the pages left out.
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

/** Layers that stay: by name, those of processing steps (ISO 19593-1), which are no artwork, and hidden ones that are not to go. */
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

/** Memberships: what shows by the state of several layers. */
function memberships(file: Context['file']): number[] {
  const found: number[] = [];
  for (let num = 1; num < file.objectCount; num += 1) {
    const value = file.get(num);
    if (isDict(value) && isName(value.map.get('Type'), 'OCMD')) found.push(num);
  }
  return found;
}

/** In no layer at all. */
const outside: Layers = { objects: [], names: [], isVisible: true, isPrinted: true };

const painting = new Set(['f', 'F', 'f*', 'S', 's', 'B', 'B*', 'b', 'b*', 'sh', 'Do', 'BI', 'Tj', 'TJ', "'", '"']);
const showing = new Set(['Tj', 'TJ', "'", '"']);

/** Takes out the marks of layers that go, and what hidden ones paint. */
function createEditor(
  context: Context,
  kept: ReadonlySet<number>,
  showsIn: (layers: Layers) => boolean,
  showsOf: (layer: PdfValue) => boolean,
) {
  const { file } = context;
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
    if (!painting.has(op) || layers.objects.some((object) => kept.has(object))) return undefined;
    const shows = showsIn(layers);
    // A form may belong to a layer itself: its dictionary says so, and it is taken out where it is drawn.
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
 * A picture is of the screen and knows no membership of several layers: what prints otherwise than it shows, and what such
 * a membership decides, is declared to look different.
 */
function declareDoubtful({ file, declare }: Context, { groups }: ReturnType<typeof readOptionalContent>): void {
  const plural = new Set(memberships(file));
  if (plural.size === 0 && groups.every((group) => group.isPrinted === group.isVisible)) return;
  const see = (event: TextEvent | PathEvent | ImageEvent | ShadingEvent): void => {
    const { isPrinted, isVisible, objects } = event.layers;
    if (isPrinted === isVisible && !objects.some((object) => plural.has(object))) return;
    const grow = event.kind === 'text' ? event.effectiveSize * 0.3 : event.kind === 'path' ? event.lineWidth + 0.5 : 0;
    const [x0, y0, x1, y1] = event.bbox;
    declare(event.place.run.page, [x0 - grow, y0 - grow, x1 + grow, y1 + grow]);
  };
  for (const page of file.pages)
    interpretPage(file, page.number, [{ text: see, path: see, image: see, shading: see }], { everyUse: true });
}

/** Annotations of hidden layers; without their layer they would come into view. */
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
