import type { PageFacts } from '@pdf2press/pdf';
import { sameBox } from '@pdf2press/pdf';
import type { PageArea } from '../../reading/page-area.ts';
import type { SettingsOf } from '../contracts.ts';
import { checkRunner, type DocumentContext, type FixHint } from '../runner.ts';

type Key = 'PageDimentions';
type Settings = SettingsOf<Key>;
interface Size {
  width: number;
  height: number;
}
interface Found extends Size {
  /** Lowest resolution of a visible image, ppi; limits how far the page may be enlarged. */
  minPpi: number | null;
}

export const pageDimensionsRunner = checkRunner<Key>()<Found>({
  page({ page, area, settings }) {
    let minPpi: number | null = null;
    const { width, height } = sizeOf(page, area, settings);
    return {
      ...(settings.acceptScalable.mode !== 'Off' && {
        object(object) {
          if (object.type !== 'image' || object.hidden !== null || object.event.image.isStencil) return;
          const ppi = Math.min(object.event.ppi.x, object.event.ppi.y);
          if (Number.isFinite(ppi)) minPpi = Math.min(minPpi ?? ppi, ppi);
        },
      }),
      end: () => ({ width, height, minPpi }),
    };
  },
  document(context, pages) {
    const known = pages.flatMap(({ page, found }) => (found ? [{ page, ...found }] : []));
    if (context.settings.mode === 'AllSame') compareWithFirst(context, known);
    else for (const entry of known) judge(context, entry);
    for (const { page } of known) lookAtBoxes(context, page);
    const sizes = [...new Set(known.map(({ width, height }) => `${width.toFixed(2)}x${height.toFixed(2)}`))];
    const first = known[0];
    return {
      sizes: sizes.length,
      ...(first && { width: first.width, height: first.height }),
    };
  },
});

/** Size of the chosen box in points, with Rotate and UserUnit applied as the settings say. */
function sizeOf(page: PageFacts, area: PageArea, settings: Settings): Size {
  const { crop, bleed, art } = page.effective;
  const [x0, y0, x1, y1] = {
    Trim: area.trim,
    Media: area.media,
    Crop: crop,
    Bleed: bleed,
    Art: art,
  }[settings.box];
  const scale = settings.applyUserUnit ? page.userUnit : 1;
  const isTurned = settings.applyRotate && page.rotate % 180 !== 0;
  const [width, height] = [(x1 - x0) * scale, (y1 - y0) * scale];
  return isTurned ? { width: height, height: width } : { width, height };
}

const turned = ({ width, height }: Size): Size => ({
  width: height,
  height: width,
});

/** Points; allows for rounding, so that a difference equal to the tolerance passes. */
const rounding = 1e-6;
const near = (a: number, b: number, tolerance: number): boolean => Math.abs(a - b) <= tolerance + rounding;

function matches(size: Size, wanted: Size, settings: Settings): boolean {
  const fits = (candidate: Size) =>
    near(candidate.width, wanted.width, settings.tolerance) &&
    near(candidate.height, wanted.height, settings.tolerance);
  return fits(size) || (settings.orientationInsensitive && fits(turned(size)));
}

function compareWithFirst(context: DocumentContext<Key>, known: readonly ({ page: number } & Size)[]): void {
  const first = known[0];
  for (const { page, width, height } of known) {
    if (!first || matches({ width, height }, first, context.settings)) continue;
    context.report({
      rule: 'differs',
      page,
      objectType: 'page',
      measured: { value: [width, height], unit: 'pt' },
      limit: { value: [first.width, first.height], unit: 'pt', op: '=' },
      params: { box: context.settings.box, trimSource: context.areaOf(page).trimSource },
      fixableBy: scaleFix(first, context.settings),
    });
  }
}

/** The sizes named in the settings; null for modes without sizes. */
function wantedSizes(settings: Settings): Size[] | null {
  if (settings.mode === 'OneOf') return settings.sizes.map(({ width, height }) => ({ width, height }));
  if (settings.mode !== 'Exact') return null;
  const { width, height } = settings;
  return width === null || height === null ? [] : [{ width, height }];
}

function isAccepted(size: Size, settings: Settings): boolean {
  const { range, aspect, tolerance } = settings;
  if (settings.mode === 'Range') {
    const inside = ({ width, height }: Size) =>
      width >= (range.minWidth ?? 0) - tolerance - rounding &&
      width <= (range.maxWidth ?? Infinity) + tolerance + rounding &&
      height >= (range.minHeight ?? 0) - tolerance - rounding &&
      height <= (range.maxHeight ?? Infinity) + tolerance + rounding;
    return inside(size) || (settings.orientationInsensitive && inside(turned(size)));
  }
  if (settings.mode === 'AspectRatio') {
    const fits = ({ width, height }: Size) => near(width / height, aspect.ratio, aspect.tolerance);
    return fits(size) || (settings.orientationInsensitive && fits(turned(size)));
  }
  // Without named sizes there is nothing to compare with, so every page passes.
  const wanted = wantedSizes(settings) ?? [];
  return wanted.length === 0 || wanted.some((candidate) => matches(size, candidate, settings));
}

function judge(context: DocumentContext<Key>, entry: { page: number } & Found): void {
  const { settings, report, areaOf } = context;
  if (isAccepted(entry, settings)) return;
  const wanted = nearest(entry, wantedSizes(settings) ?? [], settings);
  const { trimSource } = areaOf(entry.page);
  const common = {
    page: entry.page,
    objectType: 'page' as const,
    measured: { value: [entry.width, entry.height], unit: 'pt' as const },
    limit: limitOf(settings, wanted),
  };
  if (wanted && includesBleed(context, entry, wanted)) {
    const { bleed } = settings.sizeIncludesBleed;
    const inset = { left: bleed, right: bleed, top: bleed, bottom: bleed };
    const fixableBy: FixHint = { action: 'SetPageBoxes', params: { box: 'Trim', from: 'MediaBox', inset } };
    report({
      ...common,
      rule: 'sizeIncludesBleed',
      params: { box: settings.box, trimSource, bleed },
      fixableBy,
    });
    return;
  }
  const scale = wanted && scaleTo(entry, wanted, settings);
  if (scale)
    report({
      ...common,
      rule: 'scalable',
      params: { box: settings.box, trimSource, scale: Math.round(scale * 1000) / 10 },
      fixableBy: scaleFix(wanted, settings),
    });
  else
    report({
      ...common,
      rule: 'size',
      params: { box: settings.box, trimSource, mode: settings.mode },
      fixableBy: wanted ? scaleFix(wanted, settings) : null,
    });
}

const scaleFix = ({ width, height }: Size, { box, acceptScalable, tolerance }: Settings): FixHint => {
  const accepted = acceptScalable.mode === 'Off' ? {} : { maxScaleUp: Math.max(1, acceptScalable.maxScale - 100) };
  return { action: 'ResizePages', params: { box, width, height, onlyIfDifferent: tolerance, ...accepted } };
};

function limitOf(settings: Settings, wanted: Size | null) {
  if (wanted)
    return {
      value: [wanted.width, wanted.height],
      unit: 'pt' as const,
      op: '=' as const,
    };
  if (settings.mode === 'AspectRatio') return { value: settings.aspect.ratio, op: '=' as const };
  const { minWidth, maxWidth, minHeight, maxHeight } = settings.range;
  return {
    value: [minWidth ?? 0, minHeight ?? 0, maxWidth ?? 14_400, maxHeight ?? 14_400],
    unit: 'pt' as const,
    op: 'in' as const,
  };
}

/** The closest wanted size, in the orientation that is closest to the page. */
function nearest(size: Size, wanted: readonly Size[], settings: Settings): Size | null {
  const candidates = settings.orientationInsensitive ? wanted.flatMap((each) => [each, turned(each)]) : wanted;
  const distance = (each: Size) => Math.abs(each.width - size.width) + Math.abs(each.height - size.height);
  return candidates.reduce<Size | null>((best, each) => (best && distance(best) <= distance(each) ? best : each), null);
}

/** Whether a page without TrimBox is the wanted size plus bleed on every side. */
function includesBleed(
  { file, settings }: DocumentContext<Key>,
  entry: { page: number } & Size,
  wanted: Size,
): boolean {
  const { isDetected, bleed } = settings.sizeIncludesBleed;
  if (!isDetected || file.pages[entry.page - 1]?.boxes.trim) return false;
  return matches(entry, { width: wanted.width + 2 * bleed, height: wanted.height + 2 * bleed }, settings);
}

/** Factor from the page to the wanted size; null if it would distort, exceed the largest scale or lose too much resolution. */
function scaleTo(entry: Found, wanted: Size, settings: Settings): number | null {
  const { mode, maxScale, minPpi } = settings.acceptScalable;
  if (mode === 'Off') return null;
  const factor = wanted.width / entry.width;
  const isProportional = near(entry.height * factor, wanted.height, settings.tolerance);
  const isSharp = minPpi === null || entry.minPpi === null || entry.minPpi / factor > minPpi;
  return isProportional && factor * 100 <= maxScale && isSharp ? factor : null;
}

/** GWG 2022 R0002 and R0003. */
function lookAtBoxes({ file, report, isOn }: DocumentContext<Key>, number: number): void {
  const page = file.pages[number - 1];
  if (!page) return;
  if (isOn('userUnit') && page.dict.map.has('UserUnit')) {
    report({
      rule: 'userUnit',
      page: number,
      objectType: 'page',
      measured: { value: page.userUnit },
      fixableBy: { action: 'RotatePages', params: { bake: false } },
    });
  }
  const { crop, media } = page.boxes;
  if (isOn('cropNotMedia') && crop && media && !sameBox(page.effective.crop, page.effective.media, 0.03)) {
    report({
      rule: 'cropNotMedia',
      page: number,
      objectType: 'page',
      box: page.effective.crop,
      fixableBy: { action: 'SetPageBoxes', params: { box: 'None', cropToMedia: true } },
    });
  }
}
