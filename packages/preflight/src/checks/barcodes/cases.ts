import { doc, mm, space } from '../../quality/content.ts';
import type { Doc } from '../../quality/doc.ts';
import { type Drawing, drawnCode, pictureAroundCode, pictureOfCode } from '../../quality/drawn-codes.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

type Case = RuleCase<'Barcodes'>;

const article = '5901234123457';
const ean = (drawing: Partial<Drawing> = {}): string => drawnCode('ean13', article, { module: 0.33, ...drawing });
const qr = (drawing: Partial<Drawing> = {}): string =>
  drawnCode('qrcode', 'https://example.com/hello', { module: 0.5, ...drawing });

/** A black shape that begins so many modules left of a code of this module at x = 100. */
const beside = (modules: number, module: number): string =>
  `0 g ${(100 - modules * mm(module) - 10).toFixed(3)} 190 10 80 re f`;

/** The bars of the last digit of an EAN-13 symbol become those of another digit: 7 as 2 is 1 2 1 2, too. */
const lastDigit =
  (widths: readonly number[]) =>
  (all: number[]): number[] => [...all.slice(0, 52), ...widths, ...all.slice(56)];
const digits = { seven: [1, 3, 1, 2], two: [2, 1, 2, 2] };

/** White over a part of a code at (200, 200), in points of its own space. */
const over = (code: string, turn: number, box: string): string => {
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)].map((value) =>
    value.toFixed(5),
  );
  return `${code} q ${cos} ${sin} ${-Number(sin)} ${cos} 200 200 cm 0 0 0 0 k ${box} re f Q`;
};

/** Black over the lower right of a QR Code of 25 modules of 0.5 mm, where there are no finder patterns. */
const covered = (modules: number): string =>
  `0 g ${(100 + (25 - modules) * mm(0.5)).toFixed(3)} 200 ${(modules * mm(0.5)).toFixed(3)} ${(modules * mm(0.5)).toFixed(3)} re f`;

/** Lines of text and rules around a place for a small code. */
const lines = Array.from(
  { length: 30 },
  (_, at) =>
    `0 g BT /F1 9 Tf 60 ${170 + at * 11} Td (${at < 2 || at > 6 ? 'Between the lines of a table with many words' : 'Between'}) Tj ET 60 ${168 + at * 11} 260 0.3 re f`,
)
  .filter((_, at) => at < 2 || at > 5)
  .join(' ');

/** A spot colour `/Own` with this equivalent. */
const spot = (cmyk: string): Partial<Doc> =>
  space(`[/Separation /House /DeviceCMYK << /FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0] /C1 [${cmyk}] >>]`);

const contrast = (colour: string, dark: string, rest: Partial<Doc> = {}, darkRest = rest): Case => ({
  kind: 'page',
  rule: 'contrast',
  breaks: doc(ean({ colour }), rest),
  passes: doc(ean({ colour: dark }), darkRest),
});

/** Smaller and larger than a limit of the module. */
const module = (bcid: string, text: string, small: number, large: number, rest: Partial<Drawing> = {}): Case => ({
  kind: 'page',
  rule: 'moduleSize',
  breaks: doc(drawnCode(bcid, text, { ...rest, module: small })),
  passes: doc(drawnCode(bcid, text, { ...rest, module: large })),
});

/** A shape beside a code, just too near and just far enough. */
const zone = (bcid: string, text: string, size: number, near: number, far: number): Case => ({
  kind: 'page',
  rule: 'quietZone',
  breaks: doc(`${drawnCode(bcid, text, { module: size })} ${beside(near, size)}`),
  passes: doc(`${drawnCode(bcid, text, { module: size })} ${beside(far, size)}`),
});

/** An EAN-13 symbol whose bars are not tall enough to be crossed aslant. */
const turned = (turn: number): Case => module('ean13', article, 0.255, 0.268, { turn, x: 200, y: 250, height: 40 });

/** Torn from top to bottom, or one half only. */
const torn = (turn: number): Case => ({
  kind: 'page',
  rule: 'unreadable',
  breaks: doc(over(ean({ turn, x: 200 }), turn, '25 -2 24 64')),
  passes: doc(over(ean({ turn, x: 200 }), turn, '-2 30 120 34')),
});

/** Each page is drawn finely and read several times, which takes a second: by day each way of reading is tried once. */
const atNight = (more: readonly Case[]): Case[] => more.map((one) => ({ ...one, atNight: true }));

export const cases: readonly Case[] = [
  // The limits of each kind of code.
  { ...module('ean13', article, 0.258, 0.266), kind: 'object' },
  module('qrcode', 'https://example.com/hello', 0.37, 0.4),
  ...atNight([
    module('code39', 'HELLO-39', 0.24, 0.256),
    module('ean8', '96385074', 0.258, 0.266),
    module('upca', '012345678905', 0.258, 0.266),
    module('upce', '01234565', 0.258, 0.266),
    module('code128', 'ABC-12345', 0.243, 0.253),
    module('itf14', '15400141288763', 0.24, 0.256),
    module('datamatrix', 'Hello data matrix', 0.37, 0.4),
  ]),
  // In any direction.
  turned(45),
  ...atNight([
    ...[90, 180, 270, 30, -20].map(turned),
    module('code128', 'ABC-12345', 0.24, 0.255, { turn: 45, x: 200 }),
    module('qrcode', 'https://example.com/hello', 0.37, 0.4, { turn: 45, x: 200 }),
  ]),
  // As pictures, and as pictures in patterns.
  {
    kind: 'page',
    rule: 'moduleSize',
    breaks: pictureOfCode('datamatrix', 'Hello data matrix', { module: 0.37 }),
    passes: pictureOfCode('datamatrix', 'Hello data matrix', { module: 0.4 }),
  },
  ...atNight([
    {
      kind: 'object',
      rule: 'moduleSize',
      breaks: pictureOfCode('ean13', article, { module: 0.258 }),
      passes: pictureOfCode('ean13', article, { module: 0.266 }),
    },
    {
      kind: 'page',
      rule: 'moduleSize',
      settings: { symbologies: ['QR Code'] },
      breaks: doc(qr({ module: 0.37 })),
      passes: doc(ean({ module: 0.2 })),
    },
  ]),
  // What a scanner sees of inks: process, RGB and spot colours, on white and on coloured ground.
  contrast('/Own cs 1 scn', '/Own cs 1 scn', spot('0 0.9 0.8 0'), spot('1 0.6 0 0')),
  ...atNight([
    contrast('0 0 1 0 k', '1 0 0 0 k'),
    { ...contrast('0 1 1 0 k', '0 0 0 1 k'), kind: 'object' },
    contrast('0 0.5 1 0 k', '0.6 1 1 0.3 k'),
    contrast('1 0 0 rg', '0 0 0.5 rg'),
    contrast('0 0 0 0.4 k', '0 0 0 0.75 k'),
    {
      kind: 'page',
      rule: 'contrast',
      breaks: doc(`0.6 0 0 0 k 60 150 200 160 re f ${ean()}`),
      passes: doc(`0 0.3 0.8 0 k 60 150 200 160 re f ${ean()}`),
    },
    {
      kind: 'page',
      rule: 'contrast',
      breaks: doc(qr({ colour: '0 0.9 0.9 0 k' })),
      passes: doc(qr({ colour: '0.9 0.9 0 0 k' })),
    },
  ]),
  // Quiet zones: EAN 11 modules on the left, the others 10; two-dimensional codes 4 and 1.
  zone('code128', 'ABC-12345', 0.33, 8.5, 10.6),
  ...atNight([
    zone('qrcode', 'https://example.com/hello', 0.5, 3, 4.4),
    { ...zone('ean13', article, 0.33, 9, 11.6), kind: 'placed' },
    zone('code39', 'HELLO-39', 0.33, 8.5, 10.6),
    zone('itf14', '15400141288763', 0.4, 8.5, 10.6),
    zone('datamatrix', 'Hello data matrix', 0.6, 0.6, 1.4),
    {
      kind: 'page',
      rule: 'quietZone',
      breaks: doc(
        `${ean({ turn: 45, x: 200, height: 40 })} q 0.7071 0.7071 -0.7071 0.7071 200 200 cm 0 g ${-9 * mm(0.33) - 10} 0 10 40 re f Q`,
      ),
      passes: doc(
        `${ean({ turn: 45, x: 200, height: 40 })} q 0.7071 0.7071 -0.7071 0.7071 200 200 cm 0 g ${-12 * mm(0.33) - 10} 0 10 40 re f Q`,
      ),
    },
  ]),
  // The trim is an end of it, too.
  {
    kind: 'page',
    rule: 'quietZone',
    breaks: doc(ean({ x: 20 + 9 * mm(0.33) })),
    passes: doc(ean({ x: 20 + 11.6 * mm(0.33) })),
  },
  {
    kind: 'page',
    rule: 'reversed',
    breaks: doc(`0 g 60 150 200 160 re f ${ean({ colour: '0 0 0 0 k' })}`),
    passes: doc(ean()),
  },
  ...atNight([
    {
      kind: 'page',
      rule: 'reversed',
      breaks: doc(`0 g 60 150 200 160 re f ${drawnCode('code128', 'ABC-12345', { module: 0.4, colour: '1 g' })}`),
      passes: doc(`0 g 60 150 200 160 re f ${qr({ colour: '1 g' })}`),
    },
  ]),
  // Bars of another last digit; ITF-14 and GS1-128 with a number whose last digit is wrong.
  {
    kind: 'page',
    rule: 'checkDigit',
    breaks: doc(drawnCode('interleaved2of5', '15400141288762', { module: 0.4 })),
    passes: doc(drawnCode('interleaved2of5', '15400141288763', { module: 0.4 })),
  },
  ...atNight([
    {
      kind: 'page',
      rule: 'checkDigit',
      breaks: doc(ean({ change: lastDigit(digits.two) })),
      passes: doc(ean({ change: lastDigit(digits.seven) })),
    },
    {
      kind: 'page',
      rule: 'checkDigit',
      breaks: doc(drawnCode('code128', '^FNC10109501101530004', { module: 0.33, options: { parsefnc: true } })),
      passes: doc(drawnCode('code128', '^FNC10109501101530003', { module: 0.33, options: { parsefnc: true } })),
    },
  ]),
  // Modules of 1 mm and more, which stand out on plates of any resolution.
  zone('ean8', '96385074', 1.2, 6.4, 7.4),
  ...atNight([zone('qrcode', 'https://example.com/hello', 3, 3, 4.4)]),
  // In a picture of the whole page, beside tones, grain and stripes; larger than what is read at once.
  ...atNight([
    ...(['qrcode', 'code128', 'ean13'] as const).map(
      (bcid): Case => ({
        kind: 'page',
        rule: 'moduleSize',
        settings: { retailModule: { warnBelow: mm(0.3) }, linearModule: { warnBelow: mm(0.3) } },
        breaks: pictureAroundCode(bcid, bcid === 'ean13' ? article : 'ABC-12345', 2),
        passes: pictureAroundCode(bcid, bcid === 'ean13' ? article : 'ABC-12345', 4),
      }),
    ),
  ]),
  // The second of two, far from each other, and one between lines of text and tables.
  {
    kind: 'page',
    rule: 'moduleSize',
    breaks: doc(`${lines} ${drawnCode('datamatrix', 'A1', { module: 0.24, x: 150, y: 200 })}`),
    passes: doc(`${lines} ${drawnCode('datamatrix', 'A1', { module: 0.4, x: 150, y: 200 })}`),
  },
  { kind: 'page', rule: 'unreadable', breaks: doc(`${qr()} ${covered(14)}`), passes: doc(`${qr()} ${covered(4)}`) },
  ...atNight([
    {
      kind: 'page',
      rule: 'moduleSize',
      breaks: doc(`${ean({ y: 380 })} ${qr({ module: 0.37, y: 40, x: 250 })}`),
      passes: doc(`${ean({ y: 380 })} ${qr({ module: 0.4, y: 40, x: 250 })}`),
    },
  ]),
  // Damaged bars in any direction; bars of a linear code, or of a pattern.
  torn(30),
  ...atNight([
    {
      kind: 'page',
      rule: 'unreadable',
      breaks: doc(over(drawnCode('datamatrix', 'Hello data matrix', { module: 0.6, x: 200 }), 0, '8 8 14 14')),
      passes: doc(drawnCode('azteccode', 'Hello other matrix', { module: 0.6, x: 200 })),
    },
    ...[0, 90].map(torn),
    {
      kind: 'page',
      rule: 'unreadable',
      breaks: doc(over(drawnCode('code128', 'ABC-12345', { module: 0.4, x: 200 }), 0, '40 -2 20 64')),
      passes: doc(drawnCode('code93', 'ABC-12345', { module: 0.4, x: 200, options: { includecheck: true } })),
    },
    {
      kind: 'page',
      rule: 'unreadable',
      settings: { symbologies: ['EAN-13'] },
      breaks: doc(over(ean({ x: 200 }), 0, '25 -2 24 64')),
      passes: doc(drawnCode('code128', 'ABC-12345', { module: 0.4, x: 200 })),
    },
  ]),
];
