import { intersect, isEmptyRect, type PageFacts, type Rect, trimFromMarks, union } from '@pdf2press/pdf';
import { changeable, heightOf, isSameBox, setBox, unrotatedSides, widthOf } from '../../editing/boxes.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import type { setPageBoxes } from './contract.ts';

type Context = FixContext<typeof setPageBoxes>;
const names = { Trim: 'trim', Bleed: 'bleed', Crop: 'crop', Art: 'art', Media: 'media' } as const;
const sources = { MediaBox: 'media', CropBox: 'crop', BleedBox: 'bleed', TrimBox: 'trim', ArtBox: 'art' } as const;

export const run: FixRunner<typeof setPageBoxes> = (context) => {
  for (const page of changeable(context.pageFacts)) {
    const { settings } = context;
    if (settings.box !== 'None') setChosen(context, page, names[settings.box]);
    if (settings.removeArtBox && page.boxes.trim) setBox(context, page, 'art', null, 'removeArtBox');
  }
  if (context.settings.nest || context.settings.cropToMedia)
    for (const page of changeable(context.pageFacts)) nest(context, page);
};

function setChosen(context: Context, page: PageFacts, name: (typeof names)[keyof typeof names]): void {
  const { settings } = context;
  if (settings.onlyIfMissing && page.boxes[name]) return;
  const found = sourceBox(context, page);
  if (!found) {
    context.warn('sourceMissing', { page: page.number, from: settings.from });
    return;
  }
  const inset = unrotatedSides(settings.inset, page.rotate);
  const unit = page.userUnit;
  const box: Rect = [
    found[0] + inset.left / unit,
    found[1] + inset.bottom / unit,
    found[2] - inset.right / unit,
    found[3] - inset.top / unit,
  ];
  const inside = name === 'media' ? box : intersect(box, page.effective.media);
  if (isEmptyRect(inside) || widthOf(inside) < 1 || heightOf(inside) < 1) {
    context.warn('boxEmpty', { page: page.number, box: settings.box });
    return;
  }
  setBox(context, page, name, inside, 'from');
}

function sourceBox({ settings, file }: Context, page: PageFacts): Rect | null {
  if (settings.from === 'Marks') return trimFromMarks(file, page);
  if (settings.from === 'Values')
    return settings.values && [settings.values[0], settings.values[1], settings.values[2], settings.values[3]];
  if (settings.from !== 'Size') return page.effective[sources[settings.from]];
  const isSideways = page.rotate === 90 || page.rotate === 270;
  const [width, height] = isSideways ? [settings.height, settings.width] : [settings.width, settings.height];
  const [w, h] = [width / page.userUnit, height / page.userUnit];
  const { crop } = page.effective;
  // Points. A box up to half a millimetre larger than the page counts as the whole page.
  if (w > widthOf(crop) + 1.5 || h > heightOf(crop) + 1.5) return null;
  const [x, y] = [(crop[0] + crop[2] - w) / 2, (crop[1] + crop[3] - h) / 2];
  return [x, y, x + w, y + h];
}

/** Nests boxes: all inside the MediaBox, the TrimBox inside the BleedBox (ISO 32000-1, 14.11.2). */
function nest(context: Context, page: PageFacts): void {
  const { settings, edit, file } = context;
  const now = edit.isChanged() ? current(file, page) : page;
  const media = now.effective.media;
  if (settings.cropToMedia && now.boxes.crop && !isSameBox(now.boxes.crop, media))
    setBox(context, now, 'crop', media, 'cropToMedia');
  if (!settings.nest) return;
  for (const name of ['crop', 'bleed', 'trim', 'art'] as const) {
    const box = now.boxes[name];
    if (!box || (name === 'crop' && settings.cropToMedia)) continue;
    const wanted =
      name === 'bleed' && now.boxes.trim ? union(now.effective.bleed, now.effective.trim) : now.effective[name];
    setBox(context, now, name, wanted, 'nest');
  }
}

/** The page with the boxes set so far. */
function current(file: Context['file'], page: PageFacts): PageFacts {
  return file.pageNow(page.number);
}
