/** Reads codes in a raster with ZXing-C++, compiled to WebAssembly; its program is read from the installed package. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { PixelRect } from '@pdf2press/pdf';
import type { ReaderOptions, ReadResult } from 'zxing-wasm/reader';
import type { Code } from './code.ts';
import { toEnds } from './measure.ts';
import { cutOut, type Light, reduced, reversed, thinned } from './reflectance.ts';
import { around, between, isAmong, joined, mayBeBars, type Stripes, side, stripesOf, uprightOf } from './stripes.ts';
import { type Bars, barsIn, type Corners, matrixIn, type Point, straightened, uprightAlone } from './structure.ts';
import { type SymbologyKey, symbologies, symbologyKeys } from './symbologies.ts';

type Reader = Pick<typeof import('zxing-wasm/reader'), 'readBarcodes'>;
let opened: Promise<Reader> | null = null;

/** The library is loaded for the first page with something like a code on it. */
function reader(): Promise<Reader> {
  opened ??= (async () => {
    const library = await import('zxing-wasm/reader');
    const program = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
    await library.prepareZXingModule({
      overrides: { wasmBinary: readFileSync(program).slice().buffer },
      fireImmediately: true,
    });
    return library;
  })();
  return opened;
}

const isLinear = (format: SymbologyKey): boolean => symbologies[format].kind !== 'matrix';

/**
 * Rows that have to agree on a linear code, a quarter of a millimetre at 400 dpi: in pictures, one or two rows agree on a code by chance.
 * A symbol with a wrong check digit has to have more of them, since nothing else says that it is one.
 */
const agreeingRows = { read: 4, wrong: 12 };

async function readIn(light: Light, formats: readonly SymbologyKey[], isUpright = false): Promise<Code[]> {
  if (formats.length === 0) return [];
  const found = await resultsIn(light, {
    formats: [...formats],
    returnErrors: true,
    ...(isUpright && { tryRotate: false, tryInvert: false, tryDownscale: false }),
  });
  return found.flatMap((each) => codeOf(each) ?? []);
}

/** What can be read in a raster, of any symbology that the reader knows. */
const anyIn = async (light: Light): Promise<ReadResult[]> =>
  (await resultsIn(light, { formats: [] })).filter(({ isValid }) => isValid);

async function resultsIn({ pixels, width, height }: Light, options: ReaderOptions): Promise<ReadResult[]> {
  // Red, green and blue of a pixel are written at once; transparency is not looked at.
  const rgba = new Uint32Array(pixels.length);
  for (let at = 0; at < pixels.length; at += 1) rgba[at] = (pixels[at] as number) * 0x01010101;
  const data = new Uint8ClampedArray(rgba.buffer);
  // What the library calls ImageData, which only browsers have.
  const image = { data, width, height } as unknown as Parameters<Reader['readBarcodes']>[0];
  return (await reader()).readBarcodes(image, { minLineCount: agreeingRows.read, ...options });
}

function codeOf(result: ReadResult): Code | null {
  const format = symbologyKeys.find((key) => key === result.format);
  const state = format && stateOf(format, result);
  if (!format || !state) return null;
  return {
    format,
    text: result.text,
    state,
    isReversed: result.isInverted,
    isGs1: result.contentType === 'GS1',
    ...result.position,
    side: isLinear(format) || result.symbol.width === 0 ? null : result.symbol.width,
  };
}

/**
 * Only some errors say that there is a code: three finder patterns of a QR Code, and the bars of all digits of an EAN symbol
 * or of a Code 128 with a wrong check digit. UPC-E and the others are short enough to be found in anything.
 */
function stateOf(format: SymbologyKey, { isValid, error, lineCount }: ReadResult): Code['state'] | null {
  if (isValid) return 'read';
  if (format === 'QRCode') return 'unreadable';
  const isWhole = (format === 'EAN13' || format === 'EAN8' || format === 'Code128') && error.startsWith('Checksum');
  return isWhole && lineCount >= agreeingRows.wrong ? 'wrongCheckDigit' : null;
}

/** Rasters with more pixels are read in tiles, whose copies the reader holds; a tile has at most as many. */
const mostAtOnce = 6_000_000;
const tile = 2400;
/** Tiles lie over each other by 40 mm at 400 dpi; what is larger is read where the whole is small. */
const tileOverlap = 640;
const reduction = 3;

/** Reads a raster of any size with bounded memory. */
async function readTiled(light: Light, formats: readonly SymbologyKey[]): Promise<Code[]> {
  if (light.pixels.length <= mostAtOnce) return readIn(light, formats);
  const codes: Code[] = [];
  for (const { x, y, width, height } of tilesOf(light))
    codes.push(...moved(await readIn(cutOut(light, x, y, width, height), formats), 1, x, y));
  // Large ones are read again where they lie, because their corners are not known well enough to measure them.
  for (const large of await readIn(reduced(light, reduction), formats)) {
    const [x0, y0, x1, y1] = spanOf(moved([large], reduction, 0, 0)[0] ?? large);
    const by = Math.max(x1 - x0, y1 - y0) / 4;
    const [left, top] = [Math.max(0, Math.floor(x0 - by)), Math.max(0, Math.floor(y0 - by))];
    const [right, bottom] = [Math.min(light.width, Math.ceil(x1 + by)), Math.min(light.height, Math.ceil(y1 + by))];
    const again =
      (right - left) * (bottom - top) <= 2 * mostAtOnce
        ? await readIn(cutOut(light, left, top, right - left, bottom - top), formats)
        : [];
    codes.push(...(again.length > 0 ? moved(again, 1, left, top) : moved([large], reduction, 0, 0)));
  }
  return codes;
}

function* tilesOf({ width, height }: Light): Generator<{ x: number; y: number; width: number; height: number }> {
  const stride = tile - tileOverlap;
  for (let y = 0; y === 0 || y + tileOverlap < height; y += stride)
    for (let x = 0; x === 0 || x + tileOverlap < width; x += stride)
      yield { x, y, width: Math.min(tile, width - x), height: Math.min(tile, height - y) };
}

/** The same codes in a raster that is so many times as large, in which their raster lies at a place. */
function moved(codes: readonly Code[], scale: number, x: number, y: number): Code[] {
  const to = (point: Point): Point => ({ x: point.x * scale + x, y: point.y * scale + y });
  return codes.map((code) => ({
    ...code,
    topLeft: to(code.topLeft),
    topRight: to(code.topRight),
    bottomLeft: to(code.bottomLeft),
    bottomRight: to(code.bottomRight),
  }));
}

/** Pixels on each side of stripes in which the ends of a code may lie. */
const aroundStripes = 48;

/** What is in a raster: codes that were read, and what is a code for every eye but could not be. */
export interface Found {
  readonly codes: Code[];
  readonly unread: Corners[];
}

/**
 * The codes in a raster, each once.
 * @param spots where matrix codes may be
 */
export async function codesIn(
  light: Light,
  formats: readonly SymbologyKey[],
  spots: readonly PixelRect[],
): Promise<Found> {
  const first = unique(await readTiled(light, formats));
  const known = first.filter(({ state }) => state !== 'unreadable');
  const linear = formats.filter(isLinear);
  const areas = linear.length > 0 ? stripesOf(light) : [];
  const turned: Code[] = [];
  for (const area of areas)
    if (!known.some((code) => isReadBars(code, area)) && mayBeBars(light, area, aroundStripes))
      turned.push(...(await readAnyStripes(light, area, linear)));
  // Upright bars come first: of what was crossed aslant, the direction of the bars is not known.
  const read = unique([...turned, ...known]).map((code) => (isLinear(code.format) ? toEnds(light, code) : code));
  const whole = joined(areas);
  const codes = read.filter((code) => !isPart(light, code, whole, read));
  const isFree = (corners: Corners) => !codes.some((code) => doTouch(spanOf(code), spanOf(corners)));
  const unread: Corners[] = [];
  // A code of a symbology that is not asked for is none that cannot be read.
  const tell = async (corners: Corners, alone: Light, isIt: (result: ReadResult) => boolean): Promise<void> => {
    if (!isFree(corners) || unread.some((other) => doTouch(spanOf(other), spanOf(corners)))) return;
    if (!(await anyIn(alone)).some(isIt)) unread.push(corners);
  };
  for (const area of joined(areas.filter((each) => !codes.some((code) => isInside(code, each))))) {
    const bars = endingIn(light, barsIn(light, straightened(light, area)));
    // A reader refuses bars beside which something stands too near.
    if (!bars) continue;
    if (isFree(bars)) codes.push(...(await readAlone(light, bars, linear)));
    await tell(bars, uprightAlone(light, bars, aroundStripes).light, (result) => !areMore(bars, result));
  }
  if (formats.length > linear.length) {
    const found = first.flatMap((code) => (code.state === 'unreadable' ? [boxOf(code, light)] : []));
    for (const spot of [...spots, ...found]) {
      const matrix = codes.some((code) => doesFill(code, spot)) ? null : matrixIn(light, spot);
      if (matrix) await tell(matrix, partOf(light, boxOf(matrix, light)), () => true);
    }
  }
  return { codes, unread };
}

/**
 * Bars, if their ends are to be seen: stripes that go on to the edge of what is shown, but for two blocks, may go on beyond it, and
 * are a pattern. What may be a code is cut out with more than its quiet zones.
 */
function endingIn({ width, height }: Light, bars: Bars | null): Bars | null {
  const isShown = (a: Point, b: Point) => {
    const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
    return Math.min(x, y, width - x, height - y) >= 2 * side;
  };
  return bars && isShown(bars.topLeft, bars.bottomLeft) && isShown(bars.topRight, bars.bottomRight) ? bars : null;
}

/** Reads bars with nothing around them. */
async function readAlone(light: Light, bars: Bars, formats: readonly SymbologyKey[]): Promise<Code[]> {
  const { light: upright, back } = uprightAlone(light, bars, aroundStripes);
  const codes = await readIn(upright, formats, true);
  return codes
    .filter((code) => isRead(code) && !areMore(bars, code))
    .map((code) => toEnds(light, broughtBack(code, back)));
}

/** Bars and spaces that something beside a code may add to it. */
const besideIt = 6;

/**
 * Whether bars have more elements than what was read of them. Interleaved 2 of 5 starts and ends with what stands within it
 * as well, so that some of its digits are read where damage looks like an end (ISO/IEC 16390: five elements to a digit, four
 * before them and three after them). The other codes have starts and ends of their own.
 */
const areMore = ({ elements }: Bars, { format, text }: Pick<ReadResult, 'format' | 'text'>): boolean =>
  format === 'ITF' && elements > text.length * 5 + 7 + besideIt;

/** Whether a code that was read is a part of bars that were not read otherwise. */
function isPart(light: Light, code: Code, areas: readonly Stripes[], read: readonly Code[]): boolean {
  if (code.format !== 'ITF') return false;
  const area = areas.find((each) => isAmong(each, middleOf(code)));
  if (!area) return false;
  const others = read.filter((other) => other !== code && isAmong(area, middleOf(other)));
  if (others.some(({ format }) => format !== 'ITF')) return false;
  const bars = barsIn(light, straightened(light, area));
  if (!bars || !areMore(bars, code)) return false;
  // Several parts of one code may be read; between two codes are quiet zones.
  return others.length === 0 || bars.longest < symbologies.ITF.quiet[0];
}

const middleOf = ({ topLeft, bottomRight }: Corners): Point => ({
  x: (topLeft.x + bottomRight.x) / 2,
  y: (topLeft.y + bottomRight.y) / 2,
});

/** Reads stripes that stand aslant: dark or bright bars, and such that plates made too wide. */
async function readAnyStripes(light: Light, whole: Stripes, formats: readonly SymbologyKey[]): Promise<Code[]> {
  const part = around(light, straightened(light, whole), aroundStripes);
  const found: Code[] = [];
  // Plates make what is dark wider by up to a pixel, which is a third of a narrow bar.
  for (const isReversed of [false, true])
    for (const isThinned of [false, true]) {
      if (found.some(isRead)) continue;
      const seen = isReversed ? reversed(part.light) : part.light;
      const codes = await readStripes(isThinned ? thinned(seen) : seen, part.area, formats);
      found.push(...moved(codes, 1, part.left, part.top).map((code) => ({ ...code, isReversed })));
    }
  // Bright bars that are refused are the spaces of dark ones.
  return found.filter((code) => isRead(code) || !code.isReversed);
}

const partOf = (light: Light, { left, top, width, height }: PixelRect): Light =>
  cutOut(light, left, top, width, height);

/** Pixels around the corners of what may be a matrix code. */
const besideSpot = 24;

function boxOf(corners: Corners, { width, height }: Light): PixelRect {
  const [x0, y0, x1, y1] = spanOf(corners);
  const [left, top] = [Math.max(0, Math.floor(x0 - besideSpot)), Math.max(0, Math.floor(y0 - besideSpot))];
  return {
    left,
    top,
    width: Math.min(width, Math.ceil(x1 + besideSpot)) - left,
    height: Math.min(height, Math.ceil(y1 + besideSpot)) - top,
  };
}

export const isRead = ({ state }: Code): boolean => state === 'read';
/** Whether bars at a place were read straight across, but for 2°. */
function isReadBars(code: Code, area: Stripes): boolean {
  const row = Math.atan2(code.topRight.y - code.topLeft.y, code.topRight.x - code.topLeft.x);
  return isLinear(code.format) && isRead(code) && isInside(code, area) && between(row, area.angle) < Math.PI / 90;
}

/** Stripes are read upright. */
async function readStripes(light: Light, area: Stripes, formats: readonly SymbologyKey[]): Promise<Code[]> {
  const { light: upright, back } = uprightOf(light, area, aroundStripes);
  const codes = await readIn(upright, formats, true);
  return codes.map((code) => broughtBack(code, back));
}

const broughtBack = (code: Code, back: (at: Point) => Point): Code => ({
  ...code,
  topLeft: back(code.topLeft),
  topRight: back(code.topRight),
  bottomLeft: back(code.bottomLeft),
  bottomRight: back(code.bottomRight),
});

const corners = ({ topLeft, topRight, bottomRight, bottomLeft }: Corners): Point[] => [
  topLeft,
  topRight,
  bottomRight,
  bottomLeft,
];

type Span = readonly [x0: number, y0: number, x1: number, y1: number];

function spanOf(code: Corners): Span {
  const [xs, ys] = [corners(code).map(({ x }) => x), corners(code).map(({ y }) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Whether a point is in the box around a code. */
export function isInside(code: Code, { x, y }: Point): boolean {
  const [x0, y0, x1, y1] = spanOf(code);
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
}

/** Whether a code is half of a spot or more: what is told there is this code. */
function doesFill(code: Code, { left, top, width, height }: PixelRect): boolean {
  const [x0, y0, x1, y1] = spanOf(code);
  const across = Math.min(x1, left + width) - Math.max(x0, left);
  const down = Math.min(y1, top + height) - Math.max(y0, top);
  return across > 0 && down > 0 && across * down * 2 >= width * height;
}

const doTouch = ([ax0, ay0, ax1, ay1]: Span, [bx0, by0, bx1, by1]: Span): boolean =>
  ax0 < bx1 && bx0 < ax1 && ay0 < by1 && by0 < ay1;

/** Whether two finds are one code: rows of bars that stand aslant are found in several pieces. */
function areOne(a: Code, b: Code): boolean {
  const [[ax0, ay0, ax1, ay1], [bx0, by0, bx1, by1]] = [spanOf(a), spanOf(b)];
  const isSame = a.format === b.format && a.text === b.text;
  const apart = isSame ? Math.min(ax1 - ax0, ay1 - ay0, bx1 - bx0, by1 - by0) : 0;
  const [width, height] = [Math.min(ax1, bx1) - Math.max(ax0, bx0), Math.min(ay1, by1) - Math.max(ay0, by0)];
  return isSame ? width > -apart && height > -apart : width > 0 && height > 0;
}

/** Each code once; what was read counts more than what was not. */
export function unique(codes: readonly Code[]): Code[] {
  const kept: Code[] = [];
  for (const code of codes.toSorted((a, b) => Number(isRead(b)) - Number(isRead(a))))
    if (!kept.some((known) => areOne(known, code))) kept.push(code);
  return kept;
}
