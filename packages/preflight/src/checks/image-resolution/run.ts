import type { Severity } from '@pdf2press/contract';
import { area, covers, isMaskedOut } from '@pdf2press/pdf';
import { coverOf } from '../../reading/cover.ts';
import type { ProfileFrame } from '../../reading/profile-frame.ts';
import { type ImageObject, isTiledOnly } from '../../reading/scene.ts';
import type { SettingsOf } from '../contracts.ts';
import { checkRunner, type PageContext } from '../runner.ts';

type Key = 'ImageResolution';
interface Found {
  images: number;
  minColour: number | null;
  minOneBit: number | null;
}

/** Pictures of a page that wait to be judged until it is known that nothing covers them. */
const mostWaiting = 500;

/** Points. A picture that ends so close to the trim was meant to cover it. */
const roundedApart = 1;

export const imageResolutionRunner = checkRunner<Key>()<Found>({
  page(context) {
    const found: Found = { images: 0, minColour: null, minOneBit: null };
    let visible = 0;
    let only: ImageObject | null = null;
    let waiting: ImageObject[] = [];
    const { ignoreHidden } = context.settings;
    return {
      object(object) {
        const isPrinted = object.hidden === null && !object.inGlyph && !isTiledOnly(object);
        if (isPrinted) visible += 1;
        const cover = ignoreHidden && isPrinted && waiting.length > 0 ? coverOf(object) : null;
        if (cover) waiting = waiting.filter((below) => !cover(below));
        if (object.type !== 'image' || !isMeasured(object, context.settings)) return;
        if (isPrinted) only = object;
        waiting.push(object);
        const first = waiting.length > mostWaiting ? waiting.shift() : undefined;
        if (first) measure(context, first, found);
      },
      end() {
        for (const object of waiting) measure(context, object, found);
        if (visible === 1 && only && covers(only.box, context.area.trim, roundedApart)) measureSingle(context, only);
        return found;
      },
    };
  },
  document(_, pages) {
    const lowest = (pick: (found: Found) => number | null) =>
      pages.reduce<number | null>((least, { found }) => smaller(least, found ? pick(found) : null), null);
    return {
      images: pages.reduce((sum, { found }) => sum + (found?.images ?? 0), 0),
      minPpi: lowest((found) => found.minColour),
      minPpiOneBit: lowest((found) => found.minOneBit),
    };
  },
});

const smaller = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);

const ignoredBy = (hidden: Exclude<ImageObject['hidden'], null>) =>
  hidden === 'mask' ? 'ignoreSoftMasks' : hidden === 'clipped' ? 'ignoreFullyClipped' : 'ignoreHidden';

function isMeasured(object: ImageObject, settings: SettingsOf<Key>): boolean {
  const { image } = object.event;
  if (object.hidden !== null && settings[ignoredBy(object.hidden)]) return false;
  if (Math.max(image.width, image.height) <= settings.ignoreSmallerThanPx) return false;
  return area(object.event.bbox) > settings.ignoreSmallerThanArea;
}

/** GWG 2022 D0018: for large format a limit is divided by the viewing distance in metres and multiplied by the scale. */
const limitFactor = ({
  scaleFactor,
  viewingDistanceM,
}: Pick<ProfileFrame, 'scaleFactor' | 'viewingDistanceM'>): number => scaleFactor / (viewingDistanceM ?? 1);

/** The smaller resolution of both axes; null without a finite one. */
function ppiOf({ event }: ImageObject): number | null {
  const ppi = Math.min(event.ppi.x, event.ppi.y);
  return Number.isFinite(ppi) ? ppi : null;
}

type Limits = { failBelow: number | null; warnBelow: number | null };

/** The worst limit that a value, rounded to whole ppi, does not exceed; null when it exceeds both. */
function judge(value: number, limits: Limits, factor: number): { severity: Severity; limit: number } | null {
  const compared = Math.round(value);
  const steps = [
    ['Fail', limits.failBelow],
    ['Warn', limits.warnBelow],
  ] as const;
  for (const [severity, limit] of steps) {
    if (limit !== null && compared <= limit * factor) return { severity, limit: limit * factor };
  }
  return null;
}

const isIgnoredAsMasked = ({ file, settings }: PageContext<Key>, { event }: ImageObject): boolean =>
  settings.ignoreHidden && isMaskedOut(file, event.image);

function measure(context: PageContext<Key>, object: ImageObject, found: Found): void {
  const { settings, profile, report } = context;
  const { image } = object.event;
  const ppi = ppiOf(object);
  if (ppi === null) return;
  const isOneBit = image.isStencil || (image.bitsPerComponent === 1 && image.components === 1);
  const limits = isOneBit ? settings.oneBit : settings.colourGray;
  const factor = limitFactor(profile);
  const low = judge(ppi, limits, factor);
  if (low && isIgnoredAsMasked(context, object)) return;
  if (!settings.ignoreSoftMasks && object.hidden === null) measureSoftMask(context, object, ppi);
  found.images += 1;
  if (isOneBit) found.minOneBit = smaller(found.minOneBit, Math.round(ppi * 10) / 10);
  else found.minColour = smaller(found.minColour, Math.round(ppi * 10) / 10);
  if (low) {
    report({
      rule: isOneBit ? 'lowOneBit' : 'low',
      severity: low.severity,
      limit: { value: low.limit, unit: 'ppi', op: '>' },
      ...placed(context, object, ppi),
    });
  } else if (limits.infoAbove !== null && ppi > limits.infoAbove * factor) {
    report({
      rule: isOneBit ? 'highOneBit' : 'high',
      limit: { value: limits.infoAbove * factor, unit: 'ppi', op: '<=' },
      fixableBy: {
        action: 'ImageResolution',
        params: { [isOneBit ? 'oneBit' : 'colourGray']: downTo(limits.infoAbove * factor) },
      },
      ...placed(context, object, ppi),
    });
  }
}

/** A soft mask may have fewer samples than its picture, and then draws a coarse edge. */
function measureSoftMask(context: PageContext<Key>, object: ImageObject, ppi: number): void {
  const { image } = object.event;
  const mask = image.softMask;
  if (!mask) return;
  const own = ppi * Math.min(mask.width / image.width, mask.height / image.height);
  const low = judge(own, context.settings.colourGray, limitFactor(context.profile));
  if (!low) return;
  const found = placed(context, object, own);
  context.report({
    rule: 'lowSoftMask',
    severity: low.severity,
    limit: { value: low.limit, unit: 'ppi', op: '>' },
    ...found,
    params: { ...found.params, width: mask.width, height: mask.height },
  });
}

/** Downsampling to two thirds of the limit is below it and leaves enough resolution for print. */
const downTo = (above: number) => ({ above, to: Math.round((above * 2) / 3) });

/** GWG 2022 R0033: a page that is one image, to its trim, contains its text as pixels. */
function measureSingle(context: PageContext<Key>, object: ImageObject): void {
  const ppi = ppiOf(object);
  const low = ppi === null ? null : judge(ppi, context.settings.singleImagePage, limitFactor(context.profile));
  if (ppi === null || !low || isIgnoredAsMasked(context, object)) return;
  context.report({
    rule: 'singleImagePage',
    severity: low.severity,
    limit: { value: low.limit, unit: 'ppi', op: '>' },
    ...placed(context, object, ppi),
  });
}

function placed({ area: page, settings }: PageContext<Key>, object: ImageObject, ppi: number) {
  const { image, name, bbox, place } = object.event;
  const inches = { x: object.event.ppi.x, y: object.event.ppi.y };
  return {
    object,
    box: settings.bufferVisibleOnly || place.run.tiled ? object.box : bbox,
    ...(page.rotate !== 0 && !place.run.tiled && { quad: object.event.quad }),
    resourceName: name,
    measured: { value: ppi, unit: 'ppi' as const },
    params: {
      width: image.width,
      height: image.height,
      placedWidth: (image.width / inches.x) * 72,
      placedHeight: (image.height / inches.y) * 72,
    },
  };
}
