import {
  interpretPage,
  type Matrix,
  multiply,
  type PageFacts,
  type PdfFile,
  type Rect,
  tidyBox,
  transformPages,
  transformRect,
} from '@pdf2press/pdf';
import { anchorShares } from '@pdf2press/settings';
import { boxKeys, boxText, changeable, heightOf, setBox, widthOf } from '../../editing/boxes.ts';
import { createCoarsest } from '../../editing/low-resolution.ts';
import { type FixContext, type FixRunner, failed } from '../../kind/runner.ts';
import type { resizePages } from './contract.ts';

type Settings = FixContext<typeof resizePages>['settings'];
const names = { Trim: 'trim', Media: 'media', Crop: 'crop', Bleed: 'bleed', Art: 'art' } as const;

interface Plan {
  page: PageFacts;
  matrix: Matrix;
  /** The chosen box after scaling. */
  box: Rect;
  sx: number;
  sy: number;
}

/** Target width and height of the box in default user space, with Rotate and UserUnit taken out. */
function targetSize(page: PageFacts, settings: Settings): [number, number] {
  const box = page.effective[names[settings.box]];
  if (settings.target === 'Percent')
    return [(widthOf(box) * settings.percent) / 100, (heightOf(box) * settings.percent) / 100];
  const isSideways = page.rotate === 90 || page.rotate === 270;
  const shown = isSideways ? [heightOf(box), widthOf(box)] : [widthOf(box), heightOf(box)];
  let { width, height } = settings;
  // The page keeps its orientation, unless it should follow the target's.
  const isOther =
    width > height !== (shown[0] ?? 0) > (shown[1] ?? 0) && Math.abs(width - height) > settings.onlyIfDifferent;
  if (isOther && settings.orientation === 'Keep') [width, height] = [height, width];
  const [w, h] = isSideways ? [height, width] : [width, height];
  return [w / page.userUnit, h / page.userUnit];
}

function scalesOf(
  from: readonly [number, number],
  to: readonly [number, number],
  settings: Settings,
): [number, number] {
  const [x, y] = [to[0] / from[0], to[1] / from[1]];
  if (settings.scaling === 'Stretching' || settings.fit === 'StretchToFit') return [x, y];
  const scale = { Inside: Math.min(x, y), Outside: Math.max(x, y), Width: x, Height: y }[settings.fit];
  return [scale, scale];
}

/** How a page becomes another size. Long because each value is computed from those before it, in one order. */
function planPage(page: PageFacts, settings: Settings): Plan | null {
  const isTurned = settings.target === 'Size' && settings.orientation === 'MatchTarget' && needsTurn(page, settings);
  const original = page.effective[names[settings.box]];
  const turn: Matrix = isTurned ? [0, 1, -1, 0, 0, 0] : [1, 0, 0, 1, 0, 0];
  const box = transformRect(turn, original);
  const from = [widthOf(box), heightOf(box)] as const;
  const to = targetSize(page, settings);
  const tolerance = settings.onlyIfDifferent / page.userUnit;
  if (!isTurned && Math.abs(from[0] - to[0]) <= tolerance && Math.abs(from[1] - to[1]) <= tolerance) return null;
  const [sx, sy] = scalesOf(from, to, settings);
  const distortion = Math.abs(sx / sy - 1) * 100;
  if (distortion > settings.maxStretchDistortion + 1e-9) {
    throw failed('distortion', {
      page: page.number,
      percent: Math.round(distortion * 10) / 10,
      limit: settings.maxStretchDistortion,
    });
  }
  const growth = (Math.max(sx, sy) - 1) * 100;
  if (settings.target === 'Size' && growth > settings.maxScaleUp + 1e-9) {
    throw failed('scaleUp', { page: page.number, percent: Math.round(growth * 10) / 10, limit: settings.maxScaleUp });
  }
  const scaled = multiply(turn, [sx, 0, 0, sy, 0, 0]);
  const [ax, ay] = anchorShares[settings.anchor];
  const content = transformRect(scaled, original);
  const isFilled = settings.fillTarget || settings.fit === 'Outside';
  const size = isFilled ? to : ([widthOf(content), heightOf(content)] as const);
  // The lower left corner of the MediaBox stays, so that negative origins are kept.
  const matrix = multiply(scaled, [1, 0, 0, 1, original[0] - content[0], original[1] - content[1]]);
  const placed = transformRect(matrix, original);
  const [x, y] = [placed[0] - (size[0] - widthOf(placed)) * ax, placed[1] - (size[1] - heightOf(placed)) * ay];
  return { page, matrix, box: [x, y, x + size[0], y + size[1]], sx, sy };
}

function needsTurn(page: PageFacts, settings: Settings): boolean {
  const box = page.effective[names[settings.box]];
  const isSideways = page.rotate === 90 || page.rotate === 270;
  const [w, h] = isSideways ? [heightOf(box), widthOf(box)] : [widthOf(box), heightOf(box)];
  return (
    w > h !== settings.width > settings.height &&
    Math.abs(w - h) > settings.onlyIfDifferent &&
    settings.width !== settings.height
  );
}

export const run: FixRunner<typeof resizePages> = (context) => {
  const { settings, edit, log, file } = context;
  const name = names[settings.box];
  const plans = changeable(context.pageFacts).flatMap((page) => planPage(page, settings) ?? []);
  if (plans.length === 0) return;
  for (const plan of plans) {
    warnOfSmall(context, file, plan);
    warnOfCoarse(context, file, plan);
  }
  transformPages(edit, plans);
  for (const { page, box, sx, sy } of plans) {
    const before = page.effective[name];
    log({
      what: 'resized',
      page: page.number,
      before: boxText(before),
      after: boxText(tidyBox(box)),
      parameter: settings.target === 'Size' ? 'width' : 'percent',
      params: { scaleX: round(sx * 100), scaleY: round(sy * 100) },
    });
    const now = file.pageNow(page.number);
    placeBoxes(context, now, name, tidyBox(box));
    if (settings.scaleBoxes === 'All' && page.boxes.bleed && page.boxes.trim) {
      const bleed = Math.min(
        page.effective.trim[0] - page.effective.bleed[0],
        page.effective.bleed[2] - page.effective.trim[2],
      );
      if (bleed > 0 && Math.min(sx, sy) < 0.999)
        context.warn('bleedScaled', {
          page: page.number,
          before: round(bleed),
          after: round(bleed * Math.min(sx, sy)),
          unit: 'pt',
        });
    }
  }
};

/** Sets the chosen box exactly; outer boxes are enlarged to contain it. */
function placeBoxes(
  context: FixContext<typeof resizePages>,
  page: PageFacts,
  name: (typeof names)[keyof typeof names],
  box: Rect,
): void {
  const { settings, edit } = context;
  const hold = (outer: Rect): Rect => [
    Math.min(outer[0], box[0]),
    Math.min(outer[1], box[1]),
    Math.max(outer[2], box[2]),
    Math.max(outer[3], box[3]),
  ];
  const media = name === 'media' ? box : hold(page.effective.media);
  edit.putPage(page, boxKeys.media, [...tidyBox(media)]);
  if (name !== 'media') edit.putPage(page, boxKeys[name], [...box]);
  if (page.boxes.crop && name !== 'crop')
    edit.putPage(page, boxKeys.crop, [
      ...tidyBox(name === 'media' ? clip(page.effective.crop, box) : hold(page.effective.crop)),
    ]);
  if (page.boxes.bleed && name === 'trim') {
    const margin = settings.bleed / page.userUnit;
    const bleed: Rect =
      settings.scaleBoxes === 'RecomputeBleed'
        ? [box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin]
        : hold(page.effective.bleed);
    setBox(context, page, 'bleed', clip(bleed, media), 'scaleBoxes');
  }
}

const clip = (box: Rect, by: Rect): Rect => [
  Math.max(box[0], by[0]),
  Math.max(box[1], by[1]),
  Math.min(box[2], by[2]),
  Math.min(box[3], by[3]),
];
/** Images of at most this many pixels a side are rules or dots. */
const ornament = 16;
const round = (value: number): number => Math.round(value * 100) / 100;

/** Warns of text and lines that get too small to print. */
function warnOfSmall(context: FixContext<typeof resizePages>, file: PdfFile, { page, sx, sy }: Plan): void {
  const scale = Math.min(sx, sy);
  const { lineAndTextFloor, minTextSize, minLineWidth } = context.settings;
  if (scale >= 1 || !lineAndTextFloor) return;
  let text = Number.POSITIVE_INFINITY;
  let line = Number.POSITIVE_INFINITY;
  interpretPage(file, page.number, [
    {
      text(event) {
        if (event.paints !== 'none' && event.effectiveSize > 0)
          text = Math.min(text, event.effectiveSize * page.userUnit);
      },
      path(event) {
        if (event.paints !== 'fill' && event.lineWidth > 0) line = Math.min(line, event.lineWidth * page.userUnit);
      },
    },
  ]);
  if (minTextSize !== null && text >= minTextSize && text * scale < minTextSize)
    context.warn('smallText', { page: page.number, size: round(text * scale), limit: minTextSize });
  if (minLineWidth !== null && line >= minLineWidth && line * scale < minLineWidth)
    context.warn('thinLine', { page: page.number, width: round(line * scale), limit: minLineWidth });
}

/** Warns of images whose resolution gets too low by enlarging. */
function warnOfCoarse(context: FixContext<typeof resizePages>, file: PdfFile, { page, sx, sy }: Plan): void {
  const scale = Math.max(sx, sy);
  if (scale <= 1) return;
  const coarsest = createCoarsest(scale, ornament);
  interpretPage(file, page.number, [{ image: coarsest.see }]);
  const low = coarsest.found();
  if (low) context.warn('lowResolution', { page: page.number, ...low });
}
