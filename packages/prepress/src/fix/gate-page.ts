/** What the gate looks at on one page, in whatever thread: facts, and the picture as a screen shows it. */
import type { FixReason } from '@pdf2press/contract';
import {
  fittingDpi,
  openPdf,
  type PageFacts,
  type PageJob,
  type PdfFile,
  type PixelRect,
  pixelsOf,
  type Raster,
  type Rect,
  renderPreview,
} from '@pdf2press/pdf';
import type { FixContract, GuardedFact } from '../fixes/define-fix.ts';
import type { DeclaredPlaces } from './change-log.ts';
import { comparePictures, type PictureDifference } from './compare-pictures.ts';
import { type Facts, pageFacts } from './facts.ts';

/** What may differ on a page's picture. */
export interface LookLimits {
  mayLookDifferent: FixContract['mayLookDifferent'];
  boxes: DeclaredPlaces;
  /** Shapes are drawn by another routine: edges may differ by less than a pixel. */
  isEdgeTolerant: boolean;
}

export interface GatePageParams extends LookLimits {
  /** Crosses threads: of the pages that are looked at alone. */
  boxes: ReadonlyMap<number, readonly Rect[]>;
  after: { path: string };
  mayChange: readonly GuardedFact[];
  /** Pages whose facts are compared, and those whose pictures are. */
  facts: ReadonlySet<number>;
  looks: ReadonlySet<number>;
  dpi: number;
}

export interface GatePageResult {
  broken: FixReason[];
  /** Null where no picture was asked for. `dpi`: what it was compared at, less than asked on very large pages. */
  look: (PictureDifference & { dpi: number }) | null;
}

/** One picture of one side: an A2 page at 300 dpi. */
const maxPixels = 40_000_000;
/** Pages of fewer pixels than this: a postcard at 150 dpi. */
const smallPixels = 500_000;
/** Anti-aliasing reaches this far beyond a declared box. */
const marginPixels = 2;

/** The job for `runPages` over the file as it was. */
export function gatePage(before: PdfFile, params: GatePageParams): PageJob<GatePageResult> {
  const after = openPdf({ path: params.after.path });
  return {
    page(number) {
      const [was, is] = [before.pages[number - 1], after.pages[number - 1]];
      if (!was || !is) return { broken: [], look: null };
      const broken = params.facts.has(number)
        ? compareFacts(pageFacts(before, was), pageFacts(after, is), params.mayChange, number)
        : [];
      return {
        broken,
        look: params.looks.has(number) && broken.length === 0 ? lookAt(before, after, was, params) : null,
      };
    },
    close: () => after.close(),
  };
}

export function compareFacts(
  before: Facts,
  after: Facts,
  mayChange: readonly GuardedFact[],
  page: number | null,
): FixReason[] {
  return (Object.keys(before) as GuardedFact[])
    .filter((fact) => before[fact] !== after[fact] && !mayChange.includes(fact))
    .map((fact) => ({ code: `gate.${fact}`, params: { page } }));
}

function lookAt(before: PdfFile, after: PdfFile, page: PageFacts, params: GatePageParams): GatePageResult['look'] {
  const { isEdgeTolerant } = params;
  // Edges drawn another way are compared finer first and then averaged: quarters of pixels are no difference.
  const halvings = !isEdgeTolerant ? 0 : isSmall(page, params.dpi) ? 2 : 1;
  const finer = 2 ** halvings;
  const dpi = fittingDpi(page, { dpi: params.dpi * finer, box: 'trim', pixels: maxPixels });
  const [one, two] = [before, after].map((file) => {
    let raster = renderPreview(file, page.number, { dpi, box: 'trim' });
    for (let time = 0; time < halvings; time += 1) raster = halved(raster);
    return raster;
  }) as [Raster, Raster];
  return { ...comparePage(one, two, page, params), dpi: dpi / finer };
}

/** Of few pixels a thousandth is soon reached by the edges of one small word: there is time to look closer. */
function isSmall({ effective: { trim }, userUnit }: PageFacts, dpi: number): boolean {
  const scale = (dpi * userUnit) / 72;
  return (trim[2] - trim[0]) * (trim[3] - trim[1]) * scale ** 2 < smallPixels;
}

/** Both pictures show the trim, which no action moves without saying so. */
export function comparePage(before: Raster, after: Raster, page: PageFacts, limits: LookLimits): PictureDifference {
  if (before.width !== after.width || before.height !== after.height)
    return { mean: 100, p999: 100, worst: 100, count: 0 };
  const ignore = (limits.mayLookDifferent === 'whereLogged' ? (limits.boxes.get(page.number) ?? []) : [])
    .filter((box) => box[0] <= box[2] && box[1] <= box[3])
    .map((box) => grown(pixelsOf(before.frame, box)));
  const { width, height } = before;
  // Pixels at the rim are half outside, and show what was made there.
  const area = width <= 2 || height <= 2 ? undefined : { left: 1, top: 1, width: width - 2, height: height - 2 };
  return comparePictures(before, after, { ignore, isEdgeTolerant: limits.isEdgeTolerant, ...(area && { area }) });
}

/** Half as wide and high: each pixel the mean of four. */
function halved(raster: Raster): Raster {
  const [width, height] = [Math.floor(raster.width / 2), Math.floor(raster.height / 2)];
  const row = raster.width * 3;
  const source = raster.pixels;
  const pixels = new Uint8Array(width * height * 3);
  const mean = (at: number): number =>
    ((source[at] as number) +
      (source[at + 3] as number) +
      (source[at + row] as number) +
      (source[at + row + 3] as number) +
      2) >>
    2;
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0, at = 2 * y * row; x < width; x += 1, at += 6, to += 3) {
      pixels[to] = mean(at);
      pixels[to + 1] = mean(at + 1);
      pixels[to + 2] = mean(at + 2);
    }
  }
  const [a, b, c, d, e, f] = raster.frame.toPixel;
  return {
    ...raster,
    width,
    height,
    pixels,
    frame: { ...raster.frame, width, height, toPixel: [a / 2, b / 2, c / 2, d / 2, e / 2, f / 2] },
  };
}

const grown = ({ left, top, width, height }: PixelRect): PixelRect => ({
  left: left - marginPixels,
  top: top - marginPixels,
  width: width + 2 * marginPixels,
  height: height + 2 * marginPixels,
});
