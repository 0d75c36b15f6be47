/** Converts the blending colour spaces of transparency groups. */
import {
  type ColorSpace,
  type DeviceFamily,
  interpreterOf,
  isArray,
  isDict,
  isName,
  type OperatorEvent,
  type PdfDict,
  type PdfFile,
  type PdfValue,
  pdfDict,
  pdfName,
} from '@pdf2press/pdf';
import { holderOf } from '../prune-resources.ts';
import type { Recolouring } from './recolouring.ts';
import { luminosity } from './space-map.ts';

/** Whether a group has a colour space other than the given one. */
export const blendsElsewhere = (file: PdfFile, group: PdfValue, family: DeviceFamily): group is PdfDict =>
  isDict(group) && group.map.has('CS') && !isName(file.resolve(group.map.get('CS')), family);

/** The backdrop colour (BC) of a luminosity soft mask, in the group's colour space (ISO 32000-1, 11.5.3). */
export interface Backdrop {
  /** Object number of the mask's transparency group. */
  group: number;
  values: readonly number[];
  put: (values: number[]) => void;
}

/** Records the backdrop colour of the soft mask that a `gs` operator sets. */
export function findBackdrop(
  { context: { file, edit } }: Recolouring,
  { place: { run }, operands }: OperatorEvent,
  found: Map<PdfDict, Backdrop>,
): void {
  const name = operands.at(-1);
  const states = run.resources ? file.entry(run.resources, 'ExtGState') : null;
  const state = isDict(states) && isName(name) ? file.entry(states, name.name) : null;
  const mask = isDict(state) ? file.entry(state, 'SMask') : null;
  const [group, colour] = isDict(mask) ? [file.entry(mask, 'G'), file.entry(mask, 'BC')] : [null, null];
  if (!isName(name) || !isDict(mask) || found.has(mask) || !isDict(group) || !isArray(colour)) return;
  const holder = holderOf(file, run);
  if (!holder) return;
  const values = colour.map((value) => Number(file.resolve(value)));
  const way = [...holder.keys, 'ExtGState', name.name, 'SMask', 'BC'];
  found.set(mask, { group: group.stream, values, put: (made) => edit.put(holder.num, way, made) });
}

/**
 * Sets the colour space of groups to the new blending space; of soft mask groups to DeviceGray, because only luminosity
 * counts there.
 */
export function setBlendSpaces(
  { context, options }: Recolouring,
  found: { groups: Iterable<number>; maskGroups: Iterable<number>; backdrops: ReadonlyMap<PdfDict, Backdrop> },
): void {
  const { blendSpace, mapSpace, includesMasks } = options;
  if (!blendSpace) return;
  const { file, edit } = context;
  const greyOf = (space: ColorSpace, values: readonly number[]): number[] => [
    Math.round((mapSpace(space, true)?.convert(values)[0] ?? luminosity(values)) * 10_000) / 10_000,
  ];
  const set = (num: number, family: DeviceFamily, isInMask: boolean): void => {
    const dict = file.get(num);
    const group = isDict(dict) ? file.entry(dict, 'Group') : null;
    if (!blendsElsewhere(file, group, family)) return;
    const space = interpreterOf(file).spaces.read(group.map.get('CS'), null);
    const isMapped =
      mapSpace(space, isInMask) !== null ||
      (!isInMask && space.components === 4 && space.family === 'ICCBased' && family === 'DeviceCMYK');
    if (!isMapped && !(space.components === 3)) return;
    edit.put(num, 'Group', pdfDict({ CS: pdfName(family) }, group));
    if (isInMask) {
      for (const { group: behind, values, put } of found.backdrops.values())
        if (behind === num && values.length === space.components) put(greyOf(space, values));
    } else
      context.log({
        what: 'group',
        page: file.pages.find((page) => page.object === num)?.number ?? null,
        object: `${num} 0 R`,
        before: space.family,
        after: family,
        parameter: 'setBlendSpace',
      });
  };
  for (const num of found.groups) set(num, blendSpace, false);
  if (includesMasks) for (const num of found.maskGroups) set(num, 'DeviceGray', true);
}
