/** The spaces that transparency blends in. */
import {
  type DeviceFamily,
  interpreterOf,
  isDict,
  isName,
  type PdfDict,
  type PdfFile,
  type PdfValue,
  pdfDict,
  pdfName,
} from '@pdf2press/pdf';
import type { Recolouring } from './recolouring.ts';

/** A group that names a space, and not this one. */
export const blendsElsewhere = (file: PdfFile, group: PdfValue, family: DeviceFamily): group is PdfDict =>
  isDict(group) && group.map.has('CS') && !isName(file.resolve(group.map.get('CS')), family);

/** Groups blend in the new space; masks, whose luminosity counts, in grey. */
export function setBlendSpaces(
  { context, options }: Recolouring,
  found: { groups: Iterable<number>; maskGroups: Iterable<number> },
): void {
  const { blendSpace, mapSpace, includesMasks } = options;
  if (!blendSpace) return;
  const { file, edit } = context;
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
    if (!isInMask)
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
