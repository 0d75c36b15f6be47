/** Barcodes and matrix codes as things to place: as rectangles, lines, pictures or type, sound or damaged. */
import type { Box } from '@pdf2press/contract';
import { type Bar, rawCode, shapesOf } from '../drawn-codes.ts';
import { between, isDrawn, num, pick, type Random } from './chance.ts';
import type { DrawnFile, Use } from './file.ts';
import type { Thing } from './nest.ts';

/** A symbol with what its standard asks for, in modules. */
export interface CodeSymbol {
  name: string;
  bcid: string;
  text: (random: Random) => string;
  options?: Record<string, unknown>;
  kind: 'retail' | 'linear' | 'matrix';
  /** Quiet zone before and after it. */
  quiet: readonly [number, number];
}

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
const letters = (random: Random, count: number): string =>
  Array.from({ length: count }, () => pick(random, [...'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'])).join('');

/** The quiet zones are those of the symbologies' standards; check digits are added by the encoder. */
export const symbols: readonly CodeSymbol[] = [
  { name: 'EAN-13', bcid: 'ean13', text: (random) => `4${digits(random, 11)}`, kind: 'retail', quiet: [11, 7] },
  { name: 'EAN-8', bcid: 'ean8', text: (random) => digits(random, 7), kind: 'retail', quiet: [7, 7] },
  { name: 'UPC-A', bcid: 'upca', text: (random) => digits(random, 11), kind: 'retail', quiet: [9, 9] },
  { name: 'UPC-E', bcid: 'upce', text: (random) => `0${digits(random, 6)}`, kind: 'retail', quiet: [9, 7] },
  { name: 'Code 128', bcid: 'code128', text: (random) => letters(random, 8), kind: 'linear', quiet: [10, 10] },
  { name: 'Code 39', bcid: 'code39', text: (random) => letters(random, 6), kind: 'linear', quiet: [10, 10] },
  { name: 'ITF-14', bcid: 'itf14', text: (random) => digits(random, 13), kind: 'linear', quiet: [10, 10] },
  {
    name: 'QR Code',
    bcid: 'qrcode',
    text: (random) => `https://example.com/${letters(random, 10)}`,
    options: { eclevel: 'M' },
    kind: 'matrix',
    quiet: [4, 4],
  },
  { name: 'Data Matrix', bcid: 'datamatrix', text: (random) => letters(random, 18), kind: 'matrix', quiet: [1, 1] },
];

/** A mark over a code, in modules: of the colour of the ground, or of the ink. */
interface Mark {
  path: string;
  isInk: boolean;
}
/** Draws marks over a symbol of so many modules. */
export type Damage = (random: Random, size: { width: number; height: number }) => Mark[];

const rect = (x: number, y: number, width: number, height: number): string =>
  `${[x, y, width, height].map(num).join(' ')} re`;
const slash = (x0: number, y0: number, x1: number, y1: number, across: number): string =>
  `${num(x0)} ${num(y0)} m ${num(x0 + across)} ${num(y0)} l ${num(x1 + across)} ${num(y1)} l ${num(x1)} ${num(y1)} l h`;

/** Damage with which a scanner still reads bars: by the lines that it left. */
export const readableBars: Record<string, Damage> = {
  'one half scratched': (random, { width, height }) => {
    const isUpper = isDrawn(random, 0.5);
    return Array.from({ length: 7 }, () => {
      const [low, high] = isUpper ? [height / 2, height] : [0, height / 2];
      return {
        path: slash(between(random, 0, width * 0.9), low, between(random, 0, width * 0.9), high, between(random, 1, 3)),
        isInk: isDrawn(random, 0.3),
      };
    });
  },
  'one half torn off': (random, { width, height }) => [
    { path: rect(-1, isDrawn(random, 0.5) ? height / 2 : -0.1, width + 2, height / 2 + 0.1), isInk: false },
  ],
  'spots at the edge': (random, { width, height }) =>
    Array.from({ length: 4 }, () => ({
      path: rect(between(random, 0, width * 0.9), isDrawn(random, 0.5) ? 0 : height * 0.75, 5, height * 0.25),
      isInk: isDrawn(random, 0.5),
    })),
};
/** Damage that leaves no line from end to end. */
export const unreadableBars: Record<string, Damage> = {
  'a patch from top to bottom': (random, { width, height }) => [
    {
      path: rect(width * between(random, 0.2, 0.55), -0.5, width * between(random, 0.15, 0.3), height + 1),
      isInk: isDrawn(random, 0.4),
    },
  ],
  'a scratch from corner to corner': (random, { width, height }) => {
    const [from, to] = isDrawn(random, 0.5) ? [0.1, 0.75] : [0.75, 0.1];
    return [{ path: slash(from * width, -0.5, to * width, height + 0.5, between(random, 6, 9)), isInk: false }];
  },
  'several scratches': (random, { width, height }) =>
    [0.2, 0.45, 0.7].map((at) => ({
      path: slash(at * width, -0.5, (at + between(random, -0.12, 0.12)) * width, height + 0.5, between(random, 5, 8)),
      isInk: false,
    })),
};
/** Damage that error correction mends: less than a twentieth of the symbol, away from its corners. */
export const readableMatrix: Record<string, Damage> = {
  'a small spot': (random, { width }) => [
    { path: rect(width * 0.6, width * 0.35, width * 0.16, width * 0.16), isInk: isDrawn(random, 0.5) },
  ],
};
/** Damage that takes more than error correction gives back, or what the symbol is found by. */
export const unreadableMatrix: Record<string, Damage> = {
  'the middle covered': (random, { width }) => [
    {
      path: rect(width * 0.27, width * 0.27, width * 0.46, width * 0.46),
      isInk: isDrawn(random, 0.4),
    },
  ],
  'a corner torn off': (random, { width }) => [
    {
      path: isDrawn(random, 0.5)
        ? rect(-0.5, width * 0.6, width * 0.4 + 0.5, width * 0.4 + 0.5)
        : rect(-0.5, -0.5, width * 0.4 + 0.5, width * 0.4 + 0.5),
      isInk: false,
    },
  ],
  scratched: (random, { width }) =>
    Array.from({ length: 6 }, (_, at) => ({
      path: slash(width * (at / 6), -0.5, width * (at / 6 + between(random, -0.1, 0.1)), width + 0.5, width * 0.07),
      isInk: false,
    })),
};

export interface Inks {
  ink: string;
  ground: string;
}
export const blackOnWhite: Inks = { ink: '0 0 0 1 k', ground: '0 0 0 0 k' };

export type Form = 'rectangles' | 'lines' | 'picture' | 'coarsePicture' | 'mask' | 'type';
export const forms: readonly Form[] = ['rectangles', 'lines', 'picture', 'coarsePicture', 'mask', 'type'];

export interface CodeLook {
  /** Of a module, in points. */
  module: number;
  form: Form;
  inks?: Inks;
  damage?: Damage | undefined;
  /** Marks in modules beside it. */
  beside?: (size: { width: number; height: number }) => string;
}

/** Height of bars in modules. */
const barHeights = [30, 45, 60] as const;

/** A code, and how many modules it has. */
export function codeOf(
  file: DrawnFile,
  random: Random,
  symbol: CodeSymbol,
  { module, form, inks = blackOnWhite, damage, beside }: CodeLook,
): Thing & { size: { width: number; height: number } } {
  const tall = pick(random, barHeights);
  const raw = rawCode(symbol.bcid, symbol.text(random), { ...symbol.options });
  const bars = shapesOf(raw, undefined, tall);
  const size = raw.pixs
    ? { width: raw.pixx ?? 1, height: raw.pixy ?? 1 }
    : { width: (raw.sbs ?? []).reduce((sum, each) => sum + each, 0), height: tall };
  const marks = damage?.(random, size) ?? [];
  const drawn = painted(file, random, bars, size, form);
  const { uses } = drawn;
  return {
    box: [0, 0, size.width * module, size.height * module],
    state: '',
    uses,
    size,
    paint: (unit) => {
      const scale = num(module / unit);
      const after = marks.map(({ path, isInk }) => `${isInk ? inks.ink : inks.ground} ${path} f`).join(' ');
      const near = beside ? `${inks.ink} ${beside(size)} f` : '';
      return `q ${scale} 0 0 ${scale} 0 0 cm ${inks.ink} ${strokeOf(inks.ink)} ${drawn.content} ${after} ${near} Q`;
    },
  };
}

const strokeOf = (ink: string): string => ink.toUpperCase();

/** A code in a space of modules, in the colour that is set. */
function painted(
  file: DrawnFile,
  random: Random,
  bars: readonly Bar[],
  { width, height }: { width: number; height: number },
  form: Form,
): { content: string; uses: Use[] } {
  if (form === 'lines')
    return {
      content: bars
        .map(([x, y, wide, high]) =>
          high >= wide
            ? `${num(wide)} w ${num(x + wide / 2)} ${num(y)} m ${num(x + wide / 2)} ${num(y + high)} l S`
            : `${num(high)} w ${num(x)} ${num(y + high / 2)} m ${num(x + wide)} ${num(y + high / 2)} l S`,
        )
        .join(' '),
      uses: [],
    };
  if (form === 'type') return typeOf(file, random, bars);
  if (form === 'rectangles') {
    const isOnePath = isDrawn(random, 0.5);
    const content = bars.map((bar) => `${bar.map(num).join(' ')} re${isOnePath ? '' : ' f'}`).join(' ');
    return { content: isOnePath ? `${content} f` : content, uses: [] };
  }
  const per = form === 'picture' ? 8 : form === 'coarsePicture' ? 3 : 1;
  const [columns, rows] = [Math.round(width * per), Math.round(height * per)];
  const data = rasterOf(bars, columns, rows, per, form === 'mask');
  const entries =
    form === 'mask'
      ? '/ImageMask true /BitsPerComponent 1 /Decode [1 0]'
      : '/ColorSpace /DeviceGray /BitsPerComponent 8';
  const use = file.use('XObject', {
    dict: `/Type /XObject /Subtype /Image /Width ${columns} /Height ${rows} ${entries}`,
    data,
  });
  return { content: `q ${num(width)} 0 0 ${num(height)} 0 0 cm /${use.name} Do Q`, uses: [use] };
}

/** Rows from the top: 8 bits, dark is 0; or 1 bit, dark is 1. */
function rasterOf(bars: readonly Bar[], columns: number, rows: number, per: number, isMask: boolean): Uint8Array {
  const dark = new Uint8Array(columns * rows);
  for (const [x, y, wide, high] of bars)
    for (let row = rows - Math.round((y + high) * per); row < rows - Math.round(y * per); row += 1)
      dark.fill(1, row * columns + Math.round(x * per), row * columns + Math.round((x + wide) * per));
  if (!isMask) return dark.map((value) => (value ? 0 : 255));
  const stride = Math.ceil(columns / 8);
  const bits = new Uint8Array(stride * rows);
  for (let at = 0; at < dark.length; at += 1)
    if (dark[at]) {
      const [row, column] = [Math.floor(at / columns), at % columns];
      const to = row * stride + (column >> 3);
      bits[to] = (bits[to] as number) | (0x80 >> (column & 7));
    }
  return bits;
}

/** A font whose glyphs are rectangles of several widths and heights; what it is called says nothing. */
function typeOf(file: DrawnFile, random: Random, bars: readonly Bar[]): { content: string; uses: Use[] } {
  const kinds = [...new Set(bars.map(([, , wide, high]) => `${wide} ${high}`))];
  const procedures = kinds.map((kind, at) => {
    const [wide = '1', high = '1'] = kind.split(' ');
    return `/g${at} ${file.add({ dict: '', data: `${wide} 0 0 0 ${wide} ${high} d1 0 0 ${num(Number(wide))} ${num(Number(high))} re f` })}`;
  });
  const name = pick(random, ['', '/Name /F1', '/Name /Code128']);
  const use = file.use(
    'Font',
    `<< /Type /Font /Subtype /Type3 ${name} /FontBBox [0 0 ${Math.max(...bars.map(([, , wide]) => wide))} ${Math.max(...bars.map(([, , , high]) => high))}] /FontMatrix [1 0 0 1 0 0] /FirstChar 65 /LastChar ${64 + kinds.length} /Widths [${kinds.map((kind) => kind.split(' ')[0]).join(' ')}] /CharProcs << ${procedures.join(' ')} >> /Encoding << /Differences [65 ${kinds.map((_, at) => `/g${at}`).join(' ')}] >> /Resources << >> >>`,
  );
  const glyphs = bars.map(([x, y, wide, high]) => {
    const code = 65 + kinds.indexOf(`${wide} ${high}`);
    return `1 0 0 1 ${num(x)} ${num(y)} Tm <${code.toString(16)}> Tj`;
  });
  return { content: `BT /${use.name} 1 Tf ${glyphs.join(' ')} ET`, uses: [use] };
}

export type { Box };
