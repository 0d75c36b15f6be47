import {
  addResources,
  covers,
  createGlyphOutlines,
  numberText,
  type PageFacts,
  type PdfValue,
  pdfDict,
  pdfName,
  pdfRef,
  type Rect,
  tidyBox,
  transformRect,
  union,
  wrapContent,
} from '@pdf2press/pdf';
import { changeable, heightOf, setBox, widthOf } from '../../editing/boxes.ts';
import { hasOwnContent } from '../../editing/own-content.ts';
import { pageText } from '../../editing/page-text.ts';
import { fromSeen, seenBox } from '../../editing/seen-page.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import type { addTrimMarks } from './contract.ts';

type Context = FixContext<typeof addTrimMarks>;
type Settings = Context['settings'];

const millimetre = 72 / 25.4;
/** Smallest distance from the trim, points, also for pages without bleed. */
const leastOffset = 3 * millimetre;
/** Marked-content tag of the marks that this action adds; a page that has it is skipped. */
export const marksTag = 'PDF2PRESS_Marks';

/** Geometry of the page as displayed, with Rotate applied, so that left is left and text is upright. */
interface Place {
  page: PageFacts;
  trim: Rect;
  bleed: Rect;
  /** Distance of marks from the trim per side: at least the bleed. */
  offset: { left: number; right: number; top: number; bottom: number };
  /** Length of one point in units of default user space (1 / UserUnit). */
  unit: number;
}

const n = (value: number): string => numberText(Math.round(value * 1000) / 1000);
const line = (x1: number, y1: number, x2: number, y2: number): string => `${n(x1)} ${n(y1)} m ${n(x2)} ${n(y2)} l S\n`;

export const run: FixRunner<typeof addTrimMarks> = (context) => {
  for (const page of changeable(context.pageFacts)) {
    if (hasOwnContent(context.file, page, marksTag)) continue;
    addMarks(context, page);
  }
};

function addMarks(context: Context, page: PageFacts): void {
  const { settings, edit, log } = context;
  const { trim, bleed } = page.effective;
  const toPage = fromSeen[page.rotate];
  const place = placeOf(settings, page);
  const needed = tidyBox(transformRect(toPage, roomFor(settings, place)));
  const before = page.effective.media;
  if (settings.growMedia) {
    const media = union(before, needed);
    // Trim and bleed are set first, because without them they would follow the enlarged MediaBox.
    setBox(context, page, 'trim', trim);
    setBox(context, page, 'bleed', bleed);
    setBox(context, page, 'media', media, 'growMedia');
    if (page.boxes.crop) setBox(context, page, 'crop', media, 'growMedia');
  } else if (!covers(before, needed)) context.warn('noRoom', { page: page.number });
  const [all = ''] = settings.colour === 'All' ? addResources(edit, page, [registration(context)]) : [];
  const clip = settings.removeExisting === 'OutsideBleed' ? bleed : before;
  const marks = drawMarks(context, place, all);
  wrapContent(edit, page, {
    before: `q ${[clip[0], clip[1], widthOf(clip), heightOf(clip)].map(n).join(' ')} re W n\n`,
    after: `\nQ\n/Artifact <</Type/Pagination/Subtype/${marksTag}>> BDC q ${toPage.map(n).join(' ')} cm\n${marks}Q EMC\n`,
  });
  log({
    what: 'marks',
    page: page.number,
    before: null,
    after: settings.marks.join(', '),
    parameter: 'marks',
    count: settings.marks.length,
  });
}

function placeOf(settings: Settings, page: PageFacts): Place {
  const trim = seenBox(page.rotate, page.effective.trim);
  const bleed = seenBox(page.rotate, page.effective.bleed);
  const unit = 1 / page.userUnit;
  const wanted = (settings.offset ?? leastOffset) * unit;
  const side = (distance: number): number => Math.max(wanted, distance);
  const offset = {
    left: side(trim[0] - bleed[0]),
    right: side(bleed[2] - trim[2]),
    bottom: side(trim[1] - bleed[1]),
    top: side(bleed[3] - trim[3]),
  };
  return { page, trim, bleed, unit, offset };
}

/** Area that the page has to contain, including the marks. */
function roomFor(settings: Settings, { trim, offset, unit }: Place): Rect {
  const reach = (settings.length + markRoom(settings)) * unit;
  return [
    trim[0] - offset.left - reach,
    trim[1] - offset.bottom - reach,
    trim[2] + offset.right + reach,
    trim[3] + offset.top + reach,
  ];
}

/** Space outside the crop marks for bars and text. */
const markRoom = (settings: Settings): number =>
  settings.marks.some((mark) => mark === 'slug' || mark === 'colorBar' || mark === 'grayBar')
    ? settings.slugSize + 2 * millimetre
    : millimetre;

/** Registration colour: the Separation space All. */
function registration({ edit }: Context): { kind: 'ColorSpace'; value: PdfValue; hint: string } {
  const tint = edit.add(pdfDict({ FunctionType: 2, Domain: [0, 1], C0: [0, 0, 0, 0], C1: [1, 1, 1, 1], N: 1 }));
  return {
    kind: 'ColorSpace',
    value: [pdfName('Separation'), pdfName('All'), pdfName('DeviceCMYK'), pdfRef(tint)],
    hint: 'MarksAll',
  };
}

function drawMarks(context: Context, place: Place, all: string): string {
  const { settings } = context;
  const ink = settings.colour === 'All' ? `/${all} CS 1 SCN /${all} cs 1 scn` : '0 0 0 1 K 0 0 0 1 k';
  const weight = settings.weight * place.unit;
  const pieces = settings.marks.map((mark) => drawings[mark](context, place));
  const strokes = pieces.join('');
  const halo = settings.knockout
    ? `q 0 0 0 0 K 0 0 0 0 k ${n(weight + 2 * place.unit)} w [] 0 d\n${settings.marks
        .filter((mark) => mark !== 'slug')
        .map((mark) => drawings[mark](context, place))
        .join('')}Q\n`
    : '';
  return `${halo}${ink} ${n(weight)} w 0 J 0 j [] 0 d\n${strokes}`;
}

type Draw = (context: Context, place: Place) => string;

/** Corner lines at a distance of `offset`, along the edges of `box`. */
function corners({ settings }: Context, { offset, unit, trim }: Place, box: Rect, part: number): string {
  const length = settings.length * unit * part;
  const [left, right] = [trim[0] - offset.left, trim[2] + offset.right];
  const [bottom, top] = [trim[1] - offset.bottom, trim[3] + offset.top];
  const level = [box[1], box[3]].map((y) => line(left - length, y, left, y) + line(right, y, right + length, y));
  const upright = [box[0], box[2]].map((x) => line(x, bottom - length, x, bottom) + line(x, top, x, top + length));
  return [...level, ...upright].join('');
}

/** A circle of four Bézier curves. */
function circle(x: number, y: number, r: number): string {
  const k = 0.5523 * r;
  return `${n(x + r)} ${n(y)} m ${n(x + r)} ${n(y + k)} ${n(x + k)} ${n(y + r)} ${n(x)} ${n(y + r)} c ${n(x - k)} ${n(y + r)} ${n(x - r)} ${n(y + k)} ${n(x - r)} ${n(y)} c ${n(x - r)} ${n(y - k)} ${n(x - k)} ${n(y - r)} ${n(x)} ${n(y - r)} c ${n(x + k)} ${n(y - r)} ${n(x + r)} ${n(y - k)} ${n(x + r)} ${n(y)} c S\n`;
}

function target(x: number, y: number, size: number): string {
  return line(x - size / 2, y, x + size / 2, y) + line(x, y - size / 2, x, y + size / 2) + circle(x, y, size / 4);
}

type Cmyk = readonly [number, number, number, number];
const barPatches: readonly Cmyk[] = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
  [1, 1, 0, 0],
  [1, 0, 1, 0],
  [0, 1, 1, 0],
  [0.5, 0, 0, 0],
  [0, 0.5, 0, 0],
  [0, 0, 0.5, 0],
  [0, 0, 0, 0.5],
  [0.5, 0.4, 0.4, 0],
];
const grayPatches: readonly Cmyk[] = Array.from({ length: 11 }, (_, step) => [0, 0, 0, step / 10] as const);

/** A row of squares at the top (colours) or bottom (greys), beside the centre marks. */
function bar(context: Context, place: Place, patches: readonly Cmyk[], isTop: boolean): string {
  const { trim, offset, unit } = place;
  const size = Math.min(
    context.settings.length * unit,
    (widthOf(trim) / 2 - context.settings.length * unit) / patches.length,
  );
  const y = isTop ? trim[3] + offset.top : trim[1] - offset.bottom - size;
  const x = trim[0] + 2 * unit;
  return `q\n${patches.map((cmyk, index) => `${cmyk.map(n).join(' ')} k ${n(x + index * size)} ${n(y)} ${n(size)} ${n(size)} re f\n`).join('')}Q\n`;
}

const drawings: Readonly<Record<Settings['marks'][number], Draw>> = {
  crop: (context, place) => corners(context, place, place.trim, 1),
  bleed: (context, place) => corners(context, place, place.bleed, 0.6),
  centre({ settings }, { trim, offset, unit }) {
    const [x, y] = [(trim[0] + trim[2]) / 2, (trim[1] + trim[3]) / 2];
    const length = settings.length * unit;
    return (
      line(x, trim[3] + offset.top, x, trim[3] + offset.top + length) +
      line(x, trim[1] - offset.bottom - length, x, trim[1] - offset.bottom) +
      line(trim[0] - offset.left - length, y, trim[0] - offset.left, y) +
      line(trim[2] + offset.right, y, trim[2] + offset.right + length, y)
    );
  },
  registration({ settings }, { trim, offset, unit }) {
    const size = settings.length * unit;
    const [x, y] = [(trim[0] + trim[2]) / 2, (trim[1] + trim[3]) / 2];
    return (
      target(x, trim[3] + offset.top + size / 2, size) +
      target(x, trim[1] - offset.bottom - size / 2, size) +
      target(trim[0] - offset.left - size / 2, y, size) +
      target(trim[2] + offset.right + size / 2, y, size)
    );
  },
  fold({ settings }, { trim, offset, unit }) {
    const length = settings.length * unit;
    const dashed = settings.folds.map((fold) => {
      const x = trim[0] + fold * unit;
      return (
        line(x, trim[3] + offset.top, x, trim[3] + offset.top + length) +
        line(x, trim[1] - offset.bottom - length, x, trim[1] - offset.bottom)
      );
    });
    return `q [${n(2 * unit)} ${n(2 * unit)}] 0 d\n${dashed.join('')}Q\n`;
  },
  colorBar: (context, place) => bar(context, place, barPatches, true),
  grayBar: (context, place) => bar(context, place, grayPatches, false),
  slug(context, place) {
    const { settings } = context;
    const size = settings.slugSize * place.unit;
    const y = place.trim[1] - place.offset.bottom - settings.length * place.unit - size;
    // Drawn as shapes: needs no font in the file and works for every script.
    const { operators, width } = createGlyphOutlines().text(pageText(context, place.page, settings.slugText));
    // A longer line is scaled down to the width of the page.
    const room = place.trim[2] + place.offset.right + settings.length * place.unit - place.trim[0];
    const scale = Math.min(size, room / Math.max(width, 1e-6));
    return `q ${n(scale)} 0 0 ${n(scale)} ${n(place.trim[0])} ${n(y)} cm\n${operators}Q\n`;
  },
};
