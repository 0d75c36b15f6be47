import { rmSync } from 'node:fs';
import path from 'node:path';
import {
  addResources,
  contentRefs,
  fittingDpi,
  intersect,
  isDict,
  isEmptyRect,
  isName,
  joinContents,
  numberText,
  openRenderService,
  type PageFacts,
  type PagePlates,
  pdfDict,
  pdfName,
  pdfRef,
  type Rect,
  rewritePdf,
  transformPages,
  union,
  wrapContent,
} from '@pdf2press/pdf';
import { changeable, ownResourcesOf, setBox, unrotatedSides } from '../frame/boxes.ts';
import { inkImage, inkSpace, placeImage } from '../frame/ink-image.ts';
import type { FixContext, FixRunner } from '../runner.ts';
import { readableBoxes } from './readable.ts';

type Context = FixContext<'AddBleeds'>;
type Mode = Exclude<Context['settings']['fillMode'], 'UseHiddenContent'>;
const sides = ['left', 'right', 'bottom', 'top'] as const;
type Side = (typeof sides)[number];
type Amounts = Record<Side, number>;

/** Key under which our bleed is tagged, so that it is found again and never made twice. */
const tag = 'PDF2PRESS_Bleed';
const millimetre = 72 / 25.4;
/** Runs shorter than this are anti-aliasing, not content. */
const shortestRun = 0.5 * millimetre;
const tolerance = 0.1 * millimetre;

interface Job {
  page: PageFacts;
  /** Wanted beyond the trim per side, in the page's units, before Rotate. */
  amount: Amounts;
  trim: Rect;
  /** Trim and bleed together. */
  target: Rect;
  hasOurs: boolean;
}

export const run: FixRunner<'AddBleeds'> = async (context) => {
  const jobs = changeable(context.pageFacts)
    .map((page) => jobOf(context, page))
    .filter((job) => sides.some((side) => job.amount[side] > 0));
  if (jobs.length === 0) return;
  if (context.settings.fillMode === 'ScalePage') return scalePages(context, jobs);
  // The file as it would be with room for bleed: what was hidden beyond the old edge is seen now.
  for (const job of jobs) makeRoom(context, job);
  const todo = jobs.filter((job) => !job.hasOurs);
  if (todo.length === 0) return;
  const probe = path.join(context.workDir, 'bleed-probe.pdf');
  rewritePdf(context.file, probe);
  const render = openRenderService({ path: probe, workDir: context.workDir, signal: context.signal });
  try {
    const { dpi: wanted } = context.settings;
    const dpiOf = ({ page: { number } }: Job): number =>
      fittingDpi(render.file.pages[number - 1] as PageFacts, { dpi: wanted, box: 'media' });
    // Pages that are drawn alike come from one run; a very large one is drawn by itself.
    const alike = todo.filter((job) => dpiOf(job) === wanted).map(({ page }) => page.number);
    render.expectPlates(alike, { dpi: wanted, box: 'media' });
    for (const [index, job] of todo.entries()) {
      context.signal.throwIfAborted();
      const plates = await render.plates(job.page.number, { dpi: dpiOf(job), box: 'media' });
      await fill(context, job, readOnce(plates));
      context.progress(index + 1, todo.length);
    }
  } finally {
    render.close();
    rmSync(probe, { force: true });
  }
};

/** Every side looks at every plate, and looks again where it becomes an image: each is read from disk once. */
function readOnce(plates: PagePlates): PagePlates {
  const known = new Map<string, Uint8Array>();
  return {
    ...plates,
    plate(ink, rows, into) {
      if (rows || into) return plates.plate(ink, rows, into);
      const plate = known.get(ink) ?? plates.plate(ink);
      known.set(ink, plate);
      return plate;
    },
  };
}

/** Layouts of the catalog that show two pages side by side, and the side of the spine on odd pages (ISO 32000-1, table 28). */
const facingLayouts: Readonly<Record<string, 'left' | 'right'>> = {
  TwoPageRight: 'left',
  TwoColumnRight: 'left',
  TwoPageLeft: 'right',
  TwoColumnLeft: 'right',
};

/** The side where a page meets its neighbour; null where pages stand alone. */
function spineOf({ settings, file }: Context, page: PageFacts): 'left' | 'right' | null {
  const layout = file.entry(file.catalog, 'PageLayout');
  const said = isName(layout) ? facingLayouts[layout.name] : undefined;
  const ofOdd = { FromFile: said ?? null, Yes: said ?? 'left', No: null }[settings.facingPages];
  if (ofOdd === null || page.number % 2 === 1) return ofOdd;
  return ofOdd === 'left' ? 'right' : 'left';
}

function jobOf(context: Context, page: PageFacts): Job {
  const { settings, file } = context;
  const unit = page.userUnit;
  const wanted = { ...settings.amount };
  const spine = settings.innerEdge ? spineOf(context, page) : null;
  if (spine) wanted[spine] = 0;
  const shown = unrotatedSides(wanted, page.rotate);
  const amount = {
    left: shown.left / unit,
    right: shown.right / unit,
    bottom: shown.bottom / unit,
    top: shown.top / unit,
  };
  const { trim } = page.effective;
  const target: Rect = [trim[0] - amount.left, trim[1] - amount.bottom, trim[2] + amount.right, trim[3] + amount.top];
  const hasOurs = contentRefs(file, page).some((ref) => {
    const stream = file.resolve(ref);
    return isDict(stream) && stream.stream !== 0 && Buffer.from(file.stream(stream.stream)).includes(tag);
  });
  return { page, amount, trim, target, hasOurs };
}

function makeRoom(context: Context, { page, trim, target, hasOurs }: Job): void {
  const { settings } = context;
  // Without a TrimBox the edge of the page is the trim; it must be said before the page grows.
  setBox(context, page, 'trim', trim);
  const { media } = page.effective;
  const room = settings.growMedia ? union(media, target) : media;
  if (settings.growMedia) {
    setBox(context, page, 'media', room, 'growMedia');
    if (page.boxes.crop) setBox(context, page, 'crop', union(page.effective.crop, target), 'growMedia');
  }
  if (settings.setBleedBox && !hasOurs)
    setBox(
      context,
      page,
      'bleed',
      intersect(room, union(target, page.boxes.bleed ? page.effective.bleed : trim)),
      'setBleedBox',
    );
}

/** Everything grows from the middle of the trim until it bleeds: the picture changes, and the log says so. */
function scalePages(context: Context, jobs: readonly Job[]): void {
  const scale = context.settings.scalePercent / 100;
  const wanted = jobs.filter(({ page, target, hasOurs }) => !hasOurs && !isInside(target, page.boxes.bleed));
  for (const job of wanted) {
    makeRoom(context, job);
    context.log({
      what: 'scaled',
      page: job.page.number,
      box: job.trim,
      before: '100 %',
      after: `${context.settings.scalePercent} %`,
      parameter: 'scalePercent',
    });
  }
  transformPages(
    context.edit,
    wanted.map(({ page, trim }) => ({
      page,
      matrix: [scale, 0, 0, scale, ((trim[0] + trim[2]) / 2) * (1 - scale), ((trim[1] + trim[3]) / 2) * (1 - scale)],
    })),
    { keepBoxes: true },
  );
}

const isInside = (box: Rect, outer: readonly number[] | null): boolean =>
  outer !== null &&
  box[0] >= (outer[0] ?? 0) - 0.01 &&
  box[1] >= (outer[1] ?? 0) - 0.01 &&
  box[2] <= (outer[2] ?? 0) + 0.01 &&
  box[3] <= (outer[3] ?? 0) + 0.01;

/** Sides whose content reaches the trim but not far enough beyond. */
function shortSides({ settings }: Context, { amount, trim }: Job, plates: PagePlates): Side[] {
  const ink = plates.totalInk('all');
  const [a, b, c, d, e, f] = plates.frame.toPixel;
  const isInked = (x: number, y: number): boolean => {
    const [px, py] = [Math.floor(a * x + c * y + e), Math.floor(b * x + d * y + f)];
    return px >= 0 && py >= 0 && px < plates.width && py < plates.height && (ink[py * plates.width + px] as number) > 0;
  };
  const pixel = 1 / Math.hypot(a, b);
  const inside = Math.max(settings.innerOffset, pixel);
  return sides.filter((side) => {
    if (amount[side] <= 0) return false;
    const isUpright = side === 'left' || side === 'right';
    const edge = { left: trim[0], right: trim[2], bottom: trim[1], top: trim[3] }[side];
    const out = side === 'left' || side === 'bottom' ? -1 : 1;
    const [from, to] = isUpright ? [trim[1], trim[3]] : [trim[0], trim[2]];
    const at = (along: number, depth: number): boolean =>
      isUpright ? isInked(edge + out * depth, along) : isInked(along, edge + out * depth);
    let run = 0;
    for (let along = from + pixel; along < to - pixel; along += pixel) {
      const reaches = at(along, -inside);
      let isShort = reaches && !settings.onlyWhereShort;
      for (let depth = pixel / 2; reaches && !isShort && depth < amount[side] - tolerance; depth += pixel)
        isShort = !at(along, depth);
      run = isShort ? run + pixel : 0;
      if (run >= shortestRun) return true;
    }
    return false;
  });
}

/** Whether something readable is so near the edge that its mirror image would be read. */
function isReadableAt(boxes: readonly Rect[], { trim, amount }: Job, side: Side): boolean {
  const zones: Record<Side, Rect> = {
    left: [trim[0], trim[1], trim[0] + amount.left, trim[3]],
    right: [trim[2] - amount.right, trim[1], trim[2], trim[3]],
    bottom: [trim[0], trim[1], trim[2], trim[1] + amount.bottom],
    top: [trim[0], trim[3] - amount.top, trim[2], trim[3]],
  };
  return boxes.some((box) => !isEmptyRect(intersect(box, zones[side])));
}

async function fill(context: Context, job: Job, plates: PagePlates): Promise<void> {
  const { settings, edit, log } = context;
  const short = shortSides(context, job, plates);
  if (short.length === 0) return;
  const mode: Mode = settings.fillMode === 'UseHiddenContent' ? 'MirrorAsImage' : settings.fillMode;
  const isMirror = mode === 'MirrorAsImage' || mode === 'MirrorObjects';
  const readable = isMirror && settings.repeatNearText ? readableBoxes(context.file, job.page.number) : [];
  const modes = new Map<Side, Mode>(short.map((side) => [side, isReadableAt(readable, job, side) ? 'Repeat' : mode]));
  let content = '';
  for (const side of short) {
    const area = bandOf(job, side, short, settings.corners);
    const mode = modes.get(side) ?? 'MirrorAsImage';
    content +=
      mode === 'MirrorObjects'
        ? mirroredObjects(context, job, side, area)
        : filledBand(context, job, modes, area, plates);
    log({
      what: `made.${mode}`,
      page: job.page.number,
      before: null,
      after: `${Math.round((job.amount[side] * job.page.userUnit * 100) / millimetre) / 100} mm`,
      parameter: 'amount',
      params: { side },
    });
  }
  wrapContent(edit, context.file.pageNow(job.page.number), {
    before: 'q\n',
    after: `\nQ\n/Artifact <</Type/Background/Subtype/${tag}>> BDC\n${content}EMC\n`,
  });
}

/** Left and right go up into the corners, top and bottom between them; corners that lie by real bleed are part of the band. */
function bandOf({ trim, target }: Job, side: Side, short: readonly Side[], corners: boolean): Rect {
  const [x0, x1] = [
    short.includes('left') || !corners ? trim[0] : target[0],
    short.includes('right') || !corners ? trim[2] : target[2],
  ];
  const [y0, y1] = corners ? [target[1], target[3]] : [trim[1], trim[3]];
  const bands: Record<Side, Rect> = {
    left: [target[0], y0, trim[0], y1],
    right: [trim[2], y0, target[2], y1],
    bottom: [x0, target[1], x1, trim[1]],
    top: [x0, trim[3], x1, target[3]],
  };
  return bands[side];
}

/** Where along one axis a point outside takes its colour from. */
function sourceOf(
  at: number,
  low: number,
  high: number,
  mode: (isLow: boolean) => Mode | undefined,
  offset: number,
): number {
  const isLow = at < low;
  if (!isLow && at <= high) return at;
  const chosen = mode(isLow);
  if (chosen === undefined) return at;
  const depth = isLow ? low - at : at - high;
  const inward =
    offset + { Repeat: 0, MirrorAsImage: depth, MirrorObjects: depth, Stretch: depth * 0.1, ScalePage: depth }[chosen];
  return isLow ? Math.min(low + inward, high) : Math.max(high - inward, low);
}

function filledBand(
  context: Context,
  { trim, page }: Job,
  modes: ReadonlyMap<Side, Mode>,
  area: Rect,
  plates: PagePlates,
): string {
  const { settings, edit } = context;
  const pixel = 1 / Math.hypot(plates.frame.toPixel[0], plates.frame.toPixel[1]);
  const offset = settings.innerOffset / page.userUnit + pixel / 2;
  const from = (x: number, y: number): readonly [number, number] => [
    sourceOf(x, trim[0], trim[2], (isLow) => modes.get(isLow ? 'left' : 'right'), offset),
    sourceOf(y, trim[1], trim[3], (isLow) => modes.get(isLow ? 'bottom' : 'top'), offset),
  ];
  const solid = solidColour(plates, area, from, pixel);
  const rect = [area[0], area[1], area[2] - area[0], area[3] - area[1]]
    .map((value) => numberText(Math.round(value * 1e5) / 1e5))
    .join(' ');
  if (solid) return `q ${solidFill(context, page, plates, solid)} ${rect} re f Q\n`;
  const image = inkImage(edit, {
    plates,
    area,
    from,
    scale: 1 / pixel,
    isProcessOnly: settings.imageColourSpace === 'DeviceCMYK',
  });
  if (image === null) return '';
  const [name] = addResources(edit, context.file.pageNow(page.number), [
    { kind: 'XObject', value: pdfRef(image), hint: 'Bleed' },
  ]);
  return `q ${placeImage(area)} /${name} Do Q\n`;
}

/** Process inks as such, spots as themselves. */
function solidFill(
  { edit, file, settings }: Context,
  page: PageFacts,
  plates: PagePlates,
  inks: readonly number[],
): string {
  const say = (values: readonly number[]): string => values.map(numberText).join(' ');
  const spots = inks.flatMap((ink, index) => (index >= 4 && ink > 0 ? [index] : []));
  if (spots.length === 0) return `${say(inks.slice(0, 4))} k`;
  if (settings.imageColourSpace === 'DeviceCMYK') {
    const process = [0, 1, 2, 3].map((channel) =>
      spots.reduce(
        (sum, spot) => sum + (inks[spot] ?? 0) * (plates.inks[spot]?.cmyk[channel] ?? 0),
        inks[channel] ?? 0,
      ),
    );
    return `${say(process.map((ink) => Math.round(Math.min(1, ink) * 1e4) / 1e4))} k`;
  }
  const value = inkSpace(
    edit,
    spots.map((spot) => plates.inks[spot] as PagePlates['inks'][number]),
  );
  const [name] = addResources(edit, file.pageNow(page.number), [{ kind: 'ColorSpace', value, hint: 'BleedCS' }]);
  return `/${name} cs ${say([...inks.slice(0, 4), ...spots.map((spot) => inks[spot] ?? 0)])} scn`;
}

/** One colour all over, ink by ink (0–1): a rectangle says it exactly. */
function solidColour(
  plates: PagePlates,
  area: Rect,
  from: (x: number, y: number) => readonly [number, number],
  pixel: number,
): number[] | null {
  const [a, b, c, d, e, f] = plates.frame.toPixel;
  const inks = plates.inks.map((ink) => plates.plate(ink.id));
  let first: number[] | null = null;
  for (let y = area[1] + pixel / 2; y < area[3]; y += pixel) {
    for (let x = area[0] + pixel / 2; x < area[2]; x += pixel) {
      const [u, v] = from(x, y);
      const px = Math.min(plates.width - 1, Math.max(0, Math.floor(a * u + c * v + e)));
      const py = Math.min(plates.height - 1, Math.max(0, Math.floor(b * u + d * v + f)));
      const levels = inks.map((plate) => plate[py * plates.width + px] as number);
      first ??= levels;
      if (levels.some((level, index) => level !== first?.[index])) return null;
    }
  }
  if (!first) return null;
  // Plates have 256 levels: the percentage that was meant is the whole one nearby.
  return first.map((level) => {
    const percent = Math.round((level * 100) / 255);
    return Math.abs((percent * 255) / 100 - level) <= 1 ? percent / 100 : Math.round((level / 255) * 1e4) / 1e4;
  });
}

/** The page's own objects, turned over at the edge: no pixels, but the work of drawing them again. */
function mirroredObjects(context: Context, { page, trim }: Job, side: Side, area: Rect): string {
  const { edit, file } = context;
  const now = file.pageNow(page.number);
  const { bytes } = joinContents(file, now.dict);
  const form = edit.addStream(
    bytes,
    pdfDict({
      Type: pdfName('XObject'),
      Subtype: pdfName('Form'),
      BBox: [...trim],
      Resources: ownResourcesOf(file, now),
    }),
  );
  const [name] = addResources(edit, file.pageNow(page.number), [
    { kind: 'XObject', value: pdfRef(form), hint: 'BleedFm' },
  ]);
  const mirror = {
    left: [-1, 0, 0, 1, 2 * trim[0], 0],
    right: [-1, 0, 0, 1, 2 * trim[2], 0],
    bottom: [1, 0, 0, -1, 0, 2 * trim[1]],
    top: [1, 0, 0, -1, 0, 2 * trim[3]],
  }[side];
  const rect = [area[0], area[1], area[2] - area[0], area[3] - area[1]]
    .map((value) => numberText(Math.round(value * 1e5) / 1e5))
    .join(' ');
  return `q ${rect} re W n ${mirror.map((value) => numberText(Math.round(value * 1e5) / 1e5)).join(' ')} cm /${name} Do Q\n`;
}
