import { rmSync } from 'node:fs';
import path from 'node:path';
import {
  contentRefs,
  covers,
  fittingDpi,
  intersect,
  isDict,
  isEmptyRect,
  isName,
  openRenderService,
  type PageFacts,
  type PagePlates,
  type Rect,
  type RenderService,
  rewritePdf,
  transformPages,
  union,
  wrapContent,
} from '@pdf2press/pdf';
import { changeable, setBox, unrotatedSides } from '../../editing/boxes.ts';
import { outputIntents } from '../../editing/output-intent.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import { bandOf, filledBand, jointsOf, type Mode, mirroredObjects, pageForm, type Sides } from './bands.ts';
import type { addBleeds } from './contract.ts';
import { type NearEdges, nearEdges } from './near-edges.ts';
import { readableBoxes } from './readable.ts';
import { type Amounts, edgeZones, type Side, sides } from './sides.ts';
import { inkSource, lightSource, type Source } from './sources.ts';

type Context = FixContext<typeof addBleeds>;

/** Marked-content tag of the bleed that this action adds; a page that has it is skipped. */
const tag = 'PDF2PRESS_Bleed';
const millimetre = 72 / 25.4;
/** Shorter runs of ink along an edge are anti-aliasing. */
const shortestRun = 0.5 * millimetre;
const tolerance = 0.1 * millimetre;

interface Job {
  page: PageFacts;
  /** Required bleed per side in units of default user space, before Rotate. */
  amount: Amounts;
  trim: Rect;
  /** Trim and bleed. */
  target: Rect;
  /** The strip inside each side from which its bleed is taken. */
  zones: Record<Side, Rect>;
  near: NearEdges;
  /** Content this close to the trim counts as reaching it. */
  reach: number;
  hasOurs: boolean;
}

export const run: FixRunner<typeof addBleeds> = async (context) => {
  const jobs = changeable(context.pageFacts)
    .map((page) => jobOf(context, page))
    .filter((job) => sides.some((side) => job.amount[side] > 0));
  if (jobs.length === 0) return;
  if (context.settings.fillMode === 'ScalePage') return scalePages(context, jobs);
  // The page boxes are enlarged first, so that content hidden outside the old page becomes visible.
  for (const job of jobs) makeRoom(context, job);
  // Pages without objects near their edges need no rendering.
  const todo = jobs.filter((job) => !job.hasOurs && sides.some((side) => meets(job.near.reaching, job, side)));
  if (todo.length === 0) return;
  const probe = path.join(context.workDir, 'bleed-probe.pdf');
  rewritePdf(context.file, probe);
  const render = openRenderService({ path: probe, workDir: context.workDir, signal: context.signal });
  try {
    const { dpi: wanted } = context.settings;
    const dpiOf = ({ page: { number } }: Job): number =>
      fittingDpi(render.file.pages[number - 1] as PageFacts, { dpi: wanted, box: 'media' });
    // Pages of equal resolution are separated in one run; very large pages on their own.
    const alike = todo.filter((job) => dpiOf(job) === wanted).map(({ page }) => page.number);
    render.expectPlates(alike, { dpi: wanted, box: 'media' });
    for (const [index, job] of todo.entries()) {
      context.signal.throwIfAborted();
      const plates = await render.plates(job.page.number, { dpi: dpiOf(job), box: 'media' });
      const short = shortSides(context, job, plates);
      if (short.length > 0) fill(context, job, short, sourcesFor(context, job, render, plates));
      context.progress(index + 1, todo.length);
    }
  } finally {
    render.close();
    rmSync(probe, { force: true });
  }
};

/** Caches plates, which every side reads several times. */
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

/** Page layouts with two pages side by side, and the side of the spine on odd pages (ISO 32000-1, table 28). */
const facingLayouts: Readonly<Record<string, 'left' | 'right'>> = {
  TwoPageRight: 'left',
  TwoColumnRight: 'left',
  TwoPageLeft: 'right',
  TwoColumnLeft: 'right',
};

/** The side of the spine; null for single pages. */
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
  const pixel = 72 / settings.dpi;
  const reach = Math.max(settings.innerOffset, tolerance, pixel) / unit;
  const depth = (side: Side): number => amount[side] + (settings.innerOffset + pixel) / unit;
  const zones = edgeZones(trim, {
    left: depth('left'),
    right: depth('right'),
    bottom: depth('bottom'),
    top: depth('top'),
  });
  const near = nearEdges(file, page, trim, { within: reach, zones });
  return { page, amount, trim, target, zones, near, reach, hasOurs };
}

function makeRoom(context: Context, { page, trim, target, hasOurs }: Job): void {
  const { settings } = context;
  // Without a TrimBox the page edge is the trim; it has to be set before the page is enlarged.
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

/** Scales the content from the centre of the trim until it covers the bleed, and logs the change of the picture. */
function scalePages(context: Context, jobs: readonly Job[]): void {
  const scale = context.settings.scalePercent / 100;
  const wanted = jobs.filter(
    ({ page, target, hasOurs }) => !hasOurs && !(page.boxes.bleed && covers(page.boxes.bleed, target, 0.01)),
  );
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

/** Sides where content reaches the trim but not the required bleed. */
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

/** Whether any box reaches an edge of the trim. */
function meets(boxes: readonly Rect[], { trim, reach }: Job, side: Side): boolean {
  const edges: Record<Side, Rect> = {
    left: [trim[0] - reach, trim[1], trim[0] + reach, trim[3]],
    right: [trim[2] - reach, trim[1], trim[2] + reach, trim[3]],
    bottom: [trim[0], trim[1] - reach, trim[2], trim[1] + reach],
    top: [trim[0], trim[3] - reach, trim[2], trim[3] + reach],
  };
  return boxes.some((box) => !isEmptyRect(intersect(box, edges[side])));
}

/** Whether text or barcodes are so close to an edge that their mirror image would be readable. */
const isReadableAt = (boxes: readonly Rect[], { zones }: Job, side: Side): boolean =>
  boxes.some((box) => !isEmptyRect(intersect(box, zones[side])));

/**
 * RGB stays RGB, unless the printing condition is known or inks are asked for. Each side is judged on its own: inks at
 * one edge do not change the colours of another.
 */
function sourcesFor(
  context: Context,
  { page, near }: Job,
  render: RenderService,
  plates: PagePlates,
): (side: Side) => Source {
  const isPressKnown = context.settings.imageColourSpace === 'DeviceCMYK' || outputIntents(context.file).length > 0;
  const inks = inkSource(context, page, readOnce(plates));
  let light: Source | null = null;
  return (side) => {
    if (isPressKnown || !near.isLight[side]) return inks;
    light ??= lightSource(context, render.preview(page.number, { dpi: plates.frame.dpi, box: 'media' }));
    return light;
  };
}

function fill(context: Context, job: Job, short: readonly Side[], sourceOf: (side: Side) => Source): void {
  const { settings, edit, file, log } = context;
  const { page, trim, target } = job;
  const mode: Mode = settings.fillMode === 'UseHiddenContent' ? 'MirrorAsImage' : settings.fillMode;
  const isMirror = mode === 'MirrorAsImage' || mode === 'MirrorObjects';
  const readable = isMirror && settings.repeatNearText ? readableBoxes(file, page.number) : [];
  const modes = new Map<Side, Mode>(short.map((side) => [side, isReadableAt(readable, job, side) ? 'Repeat' : mode]));
  const parts: Sides = { page, trim, target, modes };
  const form = [...modes.values()].includes('MirrorObjects') ? pageForm(context, parts) : '';
  let [joints, bands] = ['', ''];
  for (const [side, mode] of modes) {
    const area = bandOf(parts, side, settings.corners);
    const source = sourceOf(side);
    bands += mode === 'MirrorObjects' ? mirroredObjects(form, parts, area) : filledBand(context, parts, source, area);
    for (const joint of jointsOf(parts, side, settings.corners, job.near))
      joints += filledBand(context, parts, source, joint);
    log({
      what: `made.${mode}`,
      page: page.number,
      before: null,
      after: `${Math.round((job.amount[side] * page.userUnit * 100) / millimetre) / 100} mm`,
      parameter: 'amount',
      params: { side },
    });
  }
  const artifact = (content: string): string => `/Artifact <</Type/Background/Subtype/${tag}>> BDC\n${content}EMC\n`;
  wrapContent(edit, file.pageNow(page.number), {
    before: `${artifact(joints)}q\n`,
    after: `\nQ\n${artifact(bands)}`,
  });
}
