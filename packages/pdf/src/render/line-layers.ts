/** Layers whose content is not printed but says where a sheet is cut, creased, folded or perforated, in whatever colours. */
import { inkUse } from '../interpret/inks.ts';
import { interpretPage } from '../interpret/interpret-page.ts';
import { groupsOf, type LayerFacts, readOptionalContent } from '../interpret/layers.ts';
import { stepOfLayer } from '../interpret/processing-steps.ts';
import type { EventBase, Paint, PathEvent, Reader, TextEvent } from '../interpret/types.ts';
import { nameOf } from '../open/pdf-access.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isRef, type PdfValue } from '../open/values.ts';
import { shaping } from './line-inks.ts';
import { isLineName } from './line-names.ts';

/** Layers that may be such, by their object numbers. `isStep` false = by the name alone, so that their content must look like lines. */
function candidates(file: PdfFile): ReadonlyMap<number, { layer: LayerFacts; isStep: boolean }> {
  const found = new Map<number, { layer: LayerFacts; isStep: boolean }>();
  for (const layer of readOptionalContent(file).groups) {
    const step = stepOfLayer(file, layer.object);
    // A processing step says what it is: the name of one that does not shape the sheet says nothing else.
    const isStep = step?.startsWith(shaping) === true;
    if (isStep || (step === null && isLineName(layer.name))) found.set(layer.object, { layer, isStep });
  }
  return found;
}

/** The groups in a visibility expression, at any depth. */
const groupsIn = (file: PdfFile, value: PdfValue | undefined, depth = 0): number[] => {
  if (isRef(value) && isDict(file.resolve(value))) return [value.num];
  const list = file.resolve(value);
  return isArray(list) && depth < 20 ? list.flatMap((entry) => groupsIn(file, entry, depth + 1)) : [];
};

/**
 * The groups of optional content by its object number. `isOne`: it is shown exactly when its one group is; other content would come
 * or go with a group that is not its own.
 */
function membersOf(file: PdfFile, object: number): { groups: readonly number[]; isOne: boolean } {
  const dict = file.get(object);
  if (!isDict(dict) || nameOf(file, dict, 'Type') !== 'OCMD') return { groups: [object], isOne: true };
  const expression = dict.map.get('VE');
  if (isArray(file.resolve(expression))) return { groups: groupsIn(file, expression), isOne: false };
  const groups = groupsOf(file, dict);
  const policy = nameOf(file, dict, 'P') ?? 'AnyOn';
  return { groups, isOne: groups.length === 1 && (policy === 'AnyOn' || policy === 'AllOn') };
}

/**
 * The layers of a page that are lines for finishing: processing steps of ISO 19593-1 that shape the sheet or, where a layer is
 * no processing step, those called as such lines usually are and with nothing on this page but paths and text. Only those on
 * which something is printed that is not in `lineInks`, which are left out of the picture as inks; and none with which other
 * content would come or go.
 * @throws FileFaultError as `interpretPage`
 */
export function lineLayers(file: PdfFile, page: number, lineInks: readonly string[]): LayerFacts[] {
  const possible = candidates(file);
  if (possible.size === 0) return [];
  const [used, pictured, entangled] = [new Set<number>(), new Set<number>(), new Set<number>()];
  const known = new Map<number, ReturnType<typeof membersOf>>();
  const isOfLineInks = (paint: Paint): boolean => {
    const use = inkUse(paint);
    return use?.cmyk?.every((tint) => tint === 0) === true && use.spots.every(({ name }) => lineInks.includes(name));
  };
  const note = ({ layers }: EventBase, ...into: Set<number>[]) => {
    for (const object of layers.objects) {
      const members = known.get(object) ?? membersOf(file, object);
      known.set(object, members);
      for (const group of members.groups) {
        if (!members.isOne) entangled.add(group);
        if (layers.isPrinted) for (const set of into) set.add(group);
      }
    }
  };
  const look = (event: PathEvent | TextEvent) => {
    const { state, paints } = event;
    const paintsOf = { fill: [state.fill], stroke: [state.stroke], both: [state.fill, state.stroke], none: [] };
    if (paintsOf[paints].every(isOfLineInks)) note(event);
    else note(event, used);
  };
  const lookAtPicture = (event: EventBase) => note(event, used, pictured);
  const reader: Reader = { path: look, text: look, image: lookAtPicture, shading: lookAtPicture };
  interpretPage(file, page, [reader]);
  return [...possible.values()].flatMap(({ layer, isStep }) =>
    used.has(layer.object) && !entangled.has(layer.object) && (isStep || !pictured.has(layer.object)) ? [layer] : [],
  );
}
