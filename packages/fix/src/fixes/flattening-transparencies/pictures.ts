/** Renders transparent regions as images, of all inks or in RGB, and places them on the page. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import {
  addResources,
  fittingDpi,
  isDict,
  openRenderService,
  type PageFacts,
  type PagePlates,
  pdfDict,
  pdfName,
  pdfRef,
  type Rect,
  type RenderService,
  rewritePdf,
  union,
  wrapContent,
} from '@pdf2press/pdf';
import { inkImage, placeImage, rgbImage } from '../../editing/ink-image.ts';
import { intentProfile } from '../../editing/output-intent.ts';
import { type FixContext, failed } from '../../kind/runner.ts';
import type { flatteningTransparencies } from './contract.ts';
import type { Detail, PagePlan } from './plan-pages.ts';
import type { LiftedText } from './text-on-top.ts';

type Context = FixContext<typeof flatteningTransparencies>;

export interface Pictures {
  plan: PagePlan;
  content: { image: number; area: Rect }[];
}

/** Pixels of one region at most, about A4 at 500 dpi: larger regions get a lower resolution. */
const maxRegionPixels = 25_000_000;

/** Renders the regions as they print, before the file is changed. Regions of one resolution are rendered together. */
export async function renderRegions(context: Context, plans: readonly PagePlan[]): Promise<Pictures[]> {
  const made = new Map(plans.map((plan): [PagePlan, Pictures] => [plan, { plan, content: [] }]));
  const wanted = new Map(plans.map((plan) => [plan, plan.kinds.map((kinds) => wantedDpi(context, kinds))]));
  const all = [...new Set([...wanted.values()].flat())].sort((a, b) => a - b);
  for (const dpi of all) {
    const parts = plans.flatMap((plan): Part[] => {
      const regions = plan.regions.filter((_, index) => wanted.get(plan)?.[index] === dpi);
      return regions.length > 0 ? [{ plan, regions, dpi }] : [];
    });
    const progress = [all.indexOf(dpi) / all.length, 1 / all.length] as const;
    for (const { plan, content } of await renderParts(context, parts, progress))
      made.get(plan)?.content.push(...content);
  }
  return [...made.values()];
}

/** The regions of a page that are rendered with one resolution. */
interface Part {
  plan: PagePlan;
  regions: readonly Rect[];
  dpi: number;
}

/** A region is rendered as finely as the sharpest thing that it shows needs. */
function wantedDpi({ settings }: Context, kinds: ReadonlySet<Detail>): number {
  const each: Record<Detail, number> = {
    lineArt: settings.lineArtDpi,
    gradient: settings.gradientDpi,
    image: settings.imageDpi,
  };
  return kinds.size === 0 ? settings.imageDpi : Math.max(...[...kinds].map((kind) => each[kind]));
}

async function renderParts(
  context: Context,
  parts: readonly Part[],
  [from, share]: readonly [number, number],
): Promise<Pictures[]> {
  const made: Pictures[] = [];
  // Rewritten first, because Ghostscript treats layers and damage of original files in its own way.
  const probe = path.join(context.workDir, 'flatten-probe.pdf');
  const restore = narrowPages(context, parts);
  rewritePdf(context.file, probe);
  restore();
  const render = openRenderService({ path: probe, workDir: context.workDir, signal: context.signal });
  try {
    for (const [index, part] of parts.entries()) {
      context.signal.throwIfAborted();
      made.push(await renderPage(context, render, part));
      context.progress(from + (share * (index + 1)) / parts.length, 1);
    }
    return made;
  } finally {
    render.close();
    rmSync(probe, { force: true });
  }
}

/** Reduces page boxes to the regions and sets the blend space; the returned function undoes both. */
function narrowPages(context: Context, parts: readonly Part[]): () => void {
  const { edit, file } = context;
  const space = isBlendedAnew(context) ? blendSpaceOf(context) : null;
  const kept = parts.map(({ plan: { page }, regions }) => {
    const now = file.pageNow(page.number);
    const own = new Map(boxEntries.map((key) => [key, now.dict.map.get(key)]));
    const group = file.entry(now.dict, 'Group');
    for (const key of boxEntries) edit.putPage(now, key, key === 'MediaBox' ? [...regions.reduce(union)] : undefined);
    if (space)
      edit.putPage(
        now,
        'Group',
        pdfDict({ S: pdfName('Transparency'), CS: pdfName(space) }, isDict(group) ? group : null),
      );
    return { page, own, group: now.dict.map.get('Group') };
  });
  return () => {
    for (const { page, own, group } of kept) {
      const now = file.pageNow(page.number);
      for (const [key, value] of own) edit.putPage(now, key, value);
      edit.putPage(now, 'Group', group);
    }
  };
}

const boxEntries = ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox'] as const;

/** Device space of the output intent; null without one. */
function blendSpaceOf({ file }: Context): 'DeviceCMYK' | 'DeviceRGB' | 'DeviceGray' | null {
  const spaces = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' } as const;
  for (const components of [4, 3, 1] as const) if (intentProfile(file, components)) return spaces[components];
  return null;
}

const isBlendedAnew = (context: Context): boolean =>
  context.settings.blendSpace === 'OutputIntent' && blendSpaceOf(context) !== null;

async function renderPage(context: Context, render: RenderService, part: Part): Promise<Pictures> {
  const { plan, regions } = part;
  const dpi = fittingDpi(plan.page, { dpi: part.dpi, box: regions.reduce(union), pixels: maxRegionPixels });
  const scale = (dpi / 72) * plan.page.userUnit;
  const picture = isInLight(context, plan)
    ? lightPicture(context, render, plan, dpi)
    : await inkPicture(context, render, plan, dpi);
  const content = regions.flatMap((area) => {
    const snapped = snap(area, dpi, part);
    const image = picture(snapped, scale);
    context.log({
      what: 'region',
      page: plan.page.number,
      box: area,
      looksSame: !isBlendedAnew(context),
      before: null,
      after: `${Math.round(dpi)} dpi`,
      parameter: 'mode',
    });
    return image === null ? [] : [{ image, area: snapped }];
  });
  return { plan, content };
}

/** Makes an image of an area at `scale` pixels per point: its object number, null for an empty area. */
type Picture = (area: Rect, scale: number) => number | null;

/** Regions painted and blended in RGB only stay RGB, so that no printing condition has to be assumed. */
const isInLight = (context: Context, { isLight }: PagePlan): boolean =>
  isLight && (!isBlendedAnew(context) || blendSpaceOf(context) === 'DeviceRGB');

function lightPicture({ edit }: Context, render: RenderService, { page }: PagePlan, dpi: number): Picture {
  const raster = render.preview(page.number, { dpi, box: 'media', annotations: false });
  return (area, scale) => rgbImage(edit, raster, area, scale);
}

async function inkPicture(context: Context, render: RenderService, plan: PagePlan, dpi: number): Promise<Picture> {
  const { settings, edit } = context;
  const plates = await render.plates(plan.page.number, { dpi, box: 'media', annotations: false });
  if (plates.hasTooManySpots && settings.preserveSpots) throw failed('tooManySpots', { page: plan.page.number });
  if (plates.hasErrors) throw failed('notRendered', { page: plan.page.number });
  if (!settings.preserveSpots) tellLostSpots(context, plan.page, plates);
  return (area, scale) => inkImage(edit, { plates, area, scale, isProcessOnly: !settings.preserveSpots });
}

/** Warns of the spot colours that are converted to process inks. */
function tellLostSpots(context: Context, page: PageFacts, plates: PagePlates): void {
  const spots = plates.inks.slice(4).filter(({ id }) => plates.plate(id).some((level) => level > 0));
  if (spots.length > 0) context.warn('spotsLost', { page: page.number, spots: spots.map(({ name }) => name) });
}

/** Rounds the edges of an area outwards to pixels of the plates. */
function snap(area: Rect, dpi: number, { plan, regions }: Part): Rect {
  const step = 72 / dpi / plan.page.userUnit;
  const [x, y] = regions.reduce(union);
  const down = (value: number, from: number): number => from + Math.floor((value - from) / step + 1e-6) * step;
  const up = (value: number, from: number): number => from + Math.ceil((value - from) / step - 1e-6) * step;
  return [down(area[0], x), down(area[1], y), up(area[2], x), up(area[3], y)];
}

export function placePictures(
  { edit, file, settings }: Context,
  { page }: PagePlan,
  content: Pictures['content'],
  lifted: LiftedText | null,
): void {
  const now = file.pageNow(page.number);
  if (settings.mode === 'RasterPage') edit.putPage(now, 'Contents', undefined);
  const names = addResources(
    edit,
    now,
    content.map(({ image }) => ({ kind: 'XObject', value: pdfRef(image), hint: 'Flat' })),
  );
  wrapContent(edit, file.pageNow(page.number), {
    before: 'q\n',
    after: `\nQ\n${content.map(({ area }, index) => `q ${placeImage(area)} /${names[index]} Do Q\n`).join('')}${lifted?.place() ?? ''}`,
  });
}
