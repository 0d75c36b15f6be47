/**
 * The bars are compared with tables of the standards, which are written down here once more: GS1 General Specifications
 * (EAN, UPC, ITF-14), ISO/IEC 15417 (Code 128), 16388 (Code 39), 18004 (QR), 16022 (Data Matrix).
 */
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { documentFacts, pageFacts } from '../../gate/facts.ts';
import { contentOf, look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'PlaceBarcode';
const trim = [20, 20, 420, 620] as const;
const pdf = (count = 1, extra = '', content = '1 0 0 0 k 0 0 440 640 re f') =>
  buildPdf({
    pages: Array.from({ length: count }, () => ({
      content,
      mediaBox: [0, 0, 440, 640],
      extra: `/TrimBox[${trim.join(' ')}]${extra}`,
    })),
  });

const base = { moduleSize: '1pt', position: 'BottomLeft', distanceX: '30pt', distanceY: '40pt' };
const place = (settings: object, input = pdf()) => quicklyFixedBy(input, key, { ...base, ...settings });

/** What the action wrote: its matrix, its ink and its rectangles in modules. */
function codeOn(path: string, page = 1) {
  const [, content = ''] = contentOf(path, page).split('/PDF2PRESS_Barcode_');
  const numbers = (text: string) => text.trim().split(/\s+/).map(Number);
  const [, matrix = ''] = /BDC q ((?:\S+ ){6})cm/.exec(content) ?? [];
  const [, ink = ''] = /\n([^\n]*(?:k|scn))\n(?=[\d. -]+re\n)/.exec(content) ?? [];
  const rects = [...content.matchAll(/^([\d. -]+) re$/gm)].map(([, text = '']) => numbers(text));
  return { matrix: numbers(matrix), ink, rects: rects as [number, number, number, number][], content };
}

/** Bars of a linear symbol as a string of modules; rectangles that are higher than wide. */
function modulesOf({ rects }: ReturnType<typeof codeOn>, module = 1): string {
  const bars = rects.filter(([, , width, height]) => height > width);
  const first = bars[0]?.[0] ?? 0;
  let modules = '';
  for (const [x, , width] of bars) {
    modules = modules.padEnd(Math.round((x - first) / module), '0') + '1'.repeat(Math.round(width / module));
  }
  return modules;
}

const odd = '0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011'.split(' ');
const right = odd.map((code) => [...code].map((bit) => (bit === '1' ? '0' : '1')).join(''));
const even = right.map((code) => [...code].reverse().join(''));
const parities = 'OOOOOO OOEOEE OOEEOE OOEEEO OEOOEE OEEOOE OEEEOO OEOEOE OEOEEO OEEOEO'.split(' ');
const coded = (digits: string, codes: readonly string[]) => [...digits].map((digit) => codes[Number(digit)]).join('');

function ean13(digits: string): string {
  const parity = parities[Number(digits[0])] ?? '';
  const left = [...digits.slice(1, 7)].map((digit, at) => (parity[at] === 'O' ? odd : even)[Number(digit)]).join('');
  return `101${left}01010${coded(digits.slice(7), right)}101`;
}

test.each([
  ['EAN-13', '590123412345', '5901234123457', ean13('5901234123457')],
  ['EAN-13', '978-3-16-148410-0', '9783161484100', ean13('9783161484100')],
  ['EAN-8', '9638507', '96385074', `101${coded('9638', odd)}01010${coded('5074', right)}101`],
  ['UPC-A', '036000291452', '036000291452', `101${coded('036000', odd)}01010${coded('291452', right)}101`],
])('%s of %s: bars of the standard’s tables', async (symbology, text, value, expected) => {
  const { report, path } = await place({ symbology, text });
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  expect(report.changes[0]).toMatchObject({ what: 'barcode', after: value });
  expect(modulesOf(codeOn(path))).toBe(expected);
});

test('guard bars reach five modules below the others, and stand beside quiet zones', async () => {
  const { path, report } = await place({ symbology: 'EAN-13', text: '5901234123457', height: '60pt' });
  const { rects } = codeOn(path);
  const [lowest = 0, ...higher] = [...new Set(rects.map(([, y]) => y))].sort((a, b) => a - b);
  expect(higher.map((y) => y - lowest)).toEqual([5]);
  expect(rects.filter(([, y]) => y === lowest)).toHaveLength(6);
  expect(new Set(rects.map(([, y, , height]) => y + height)).size).toBe(1);
  expect(rects[0]?.[0]).toBe(11);
  const [x0 = 0, y0 = 0, x1 = 0] = report.changes[0]?.box ?? [];
  expect([x0, y0, x1 - x0]).toEqual([50, 60, 11 + 95 + 7]);
});

const narrowOrWide = (pattern: string, wide: number) =>
  [...pattern].map((letter, at) => (at % 2 === 0 ? '1' : '0').repeat(letter === 'W' ? wide : 1)).join('');

test('ITF-14: wide bars are two and a half modules, between bearer bars', async () => {
  const { path } = await place({ symbology: 'ITF-14', text: '1234567890123', humanReadable: false, height: '50pt' });
  const digits = 'NNWWN WNNNW NWNNW WWNNN NNWNW WNWNN NWWNN NNNWW WNNWN NWNWN'.split(' ');
  const pairs = ['12', '34', '56', '78', '90', '12', '31'].map((pair) => {
    const [bars = '', spaces = ''] = [...pair].map((digit) => digits[Number(digit)]);
    return [...bars].map((bar, at) => bar + spaces[at]).join('');
  });
  // In halves of a module a narrow bar is 2 and a wide one 5.
  const expected = [...`NNNN${pairs.join('')}WNN`]
    .map((letter, at) => (at % 2 === 0 ? '1' : '0').repeat(letter === 'W' ? 5 : 2))
    .join('');
  const code = codeOn(path);
  expect(modulesOf(code, 0.5)).toBe(expected);
  const bearers = code.rects.filter(([, , width, height]) => width > height);
  expect(bearers.map(([x, y, width, height]) => [x, y, width, height])).toEqual([
    [0, 0, expected.length / 2 + 20, 2],
    [0, 52, expected.length / 2 + 20, 2],
  ]);
});

test('Code 39: nine elements of each character, three of them wide', async () => {
  const { path } = await place({ symbology: 'Code 39', text: 'A-1', moduleSize: '0.5pt' });
  const [star, a, dash, one] = ['NWNNWNWNN', 'WNNNNWNNW', 'NWNNNNWNW', 'WNNWNNNNW'];
  const expected = [star, a, dash, one, star].map((pattern) => narrowOrWide(pattern ?? '', 3)).join('0');
  expect(modulesOf(codeOn(path))).toBe(expected);
});

test('Code 128: set C, check character modulo 103, stop', async () => {
  const { path } = await place({ symbology: 'Code 128', text: '123456' });
  // Start C (105), 12, 34, 56, and 44 = (105 + 12 + 2 × 34 + 3 × 56) mod 103.
  const widths = ['211232', '112232', '131123', '331121', '132131', '2331112'].join('');
  const expected = [...widths].map((width, at) => (at % 2 === 0 ? '1' : '0').repeat(Number(width))).join('');
  expect(modulesOf(codeOn(path))).toBe(expected);
});

test('GS1-128 begins with FNC1', async () => {
  const { path, report } = await place({ symbology: 'GS1-128', text: '(01)09521234543213(10)A1', moduleSize: '0.8pt' });
  expect(report.changes[0]?.after).toBe('(01)09521234543213(10)A1');
  // Start C and FNC1 (102).
  expect(modulesOf(codeOn(path)).startsWith('1101001110011110101110')).toBe(true);
});

/** Rows of a matrix from above, without its quiet zone. */
function rowsOf({ rects }: ReturnType<typeof codeOn>, quiet: number): string[] {
  const size = Math.max(...rects.map(([, y]) => y)) - quiet + 1;
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => '0'));
  for (const [x, y, width] of rects)
    for (let at = x; at < x + width; at += 1) (rows[size - 1 - (y - quiet)] ?? [])[at - quiet] = '1';
  return rows.map((row) => row.join(''));
}

test.each(['L', 'M', 'Q', 'H'] as const)('QR, level %s: finders, timing and format of the standard', async (level) => {
  const { path } = await place({ symbology: 'QR', text: 'https://example.com', errorCorrection: level });
  const rows = rowsOf(codeOn(path), 4);
  const finder = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];
  expect(rows.slice(0, 7).map((row) => row.slice(0, 7))).toEqual(finder);
  expect(rows.slice(0, 7).map((row) => row.slice(-7))).toEqual(finder);
  expect(rows.slice(-7).map((row) => row.slice(0, 7))).toEqual(finder);
  expect([...(rows[6] ?? '').slice(8, -8)].every((bit, at) => bit === String((at + 1) % 2))).toBe(true);
  // Format information: 5 bits, 10 of BCH (15, 5) with generator 10100110111, masked by 101010000010010.
  const bits = `${rows[8]?.slice(0, 6)}${rows[8]?.slice(7, 9)}${rows[7]?.[8]}${[5, 4, 3, 2, 1, 0].map((row) => rows[row]?.[8]).join('')}`;
  const format = Number.parseInt(bits, 2) ^ 0b101010000010010;
  let rest = format;
  for (let at = 14; at >= 10; at -= 1) if (rest & (1 << at)) rest ^= 0b10100110111 << (at - 10);
  expect(rest).toBe(0);
  // Levels as they are written, the strongest last; a stronger one is taken where it needs no larger symbol.
  const levels = [1, 0, 3, 2];
  expect(levels.indexOf(format >> 13)).toBeGreaterThanOrEqual(['L', 'M', 'Q', 'H'].indexOf(level));
});

test('Data Matrix: the example of ISO/IEC 16022', async () => {
  const { path } = await place({ symbology: 'Data Matrix', text: '123456' });
  expect(rowsOf(codeOn(path), 1)).toEqual([
    '1010101010',
    '1100101101',
    '1100000100',
    '1100011101',
    '1100001000',
    '1000001111',
    '1110110000',
    '1111011001',
    '1001110100',
    '1111111111',
  ]);
});

test('edges are whole modules, and the matrix makes them exactly as wide as set', async () => {
  const { path } = await place({ symbology: 'EAN-13', text: '5901234123457', moduleSize: '0.33 mm' });
  const { matrix, rects } = codeOn(path);
  expect(rects.every(([x, , width]) => Number.isInteger(x) && Number.isInteger(width))).toBe(true);
  expect(matrix[0]).toBeCloseTo((0.33 * 72) / 25.4, 6);
  expect(matrix.slice(1, 4)).toEqual([0, 0, matrix[0]]);
});

test.each([0, 90, 180, 270] as const)(
  'on a page turned by %i degrees the code stands upright where set',
  async (rotate) => {
    const { report } = await place({ text: 'A', moduleSize: '2pt' }, pdf(1, `/Rotate ${rotate}`));
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = report.changes[0]?.box ?? [];
    expect([x1 - x0, y1 - y0]).toEqual([58, 58]);
    // Distances from the edges that are seen on the left and at the bottom.
    const seen = {
      0: [x0 - 20, y0 - 20],
      90: [y0 - 20, 420 - x1],
      180: [420 - x1, 620 - y1],
      270: [620 - y1, x0 - 20],
    };
    expect(seen[rotate]).toEqual([30, 40]);
  },
);

test('sizes are true on a page with a user unit; a code may stand upright; left and right change places', async () => {
  const unit = await place({ symbology: 'EAN-8', text: '96385074' }, pdf(1, '/UserUnit 2'));
  expect(codeOn(unit.path).matrix[0]).toBe(0.5);
  const up = await place({ symbology: 'EAN-8', text: '96385074', direction: 'Up', facingPages: true }, pdf(2));
  const boxes = up.report.changes.map(({ box: [x0, y0, x1, y1] = [0, 0, 0, 0] }) => [x0, y1 - y0, 440 - x1]);
  expect(boxes[0]?.[1]).toBe(7 + 67 + 7);
  expect(boxes[0]?.[0]).toBe(50);
  expect(boxes[1]?.[2]).toBe(50);
});

const gold = '/Gold cs 1 scn 20 20 30 30 re f';
const withGold = buildPdf({
  pages: [
    {
      content: gold,
      mediaBox: [0, 0, 440, 640],
      resources:
        '/ColorSpace<</Gold[/Separation/Gold/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 .2 .8 .1]/N 1>>]>>',
    },
  ],
});

test('one ink: black, a new spot colour, or one of the file as it is defined there; white below it where asked', async () => {
  expect(codeOn((await place({})).path).ink).toBe('0 0 0 1 k');
  const spot = await place({ colour: 'Spot', spotName: 'Reflex Blue', alternate: { c: 100, m: 80, y: 0, k: 0 } });
  expect(codeOn(spot.path).ink).toBe('/Spot cs 1 scn');
  const inks = (path: string) => look(path, (file) => pageFacts(file, file.pages[0] as never).inks);
  expect(inks(spot.path)).toBe('["Reflex Blue"]');
  const known = await place({ colour: 'Spot', spotName: 'Gold' }, withGold);
  expect([known.report.actions[0]?.outcome, inks(known.path)]).toEqual(['Applied', '["Gold"]']);
  const alternates = look(known.path, ({ pages, resolve, entry }) => {
    const spaces = entry(entry(pages[0]?.dict as never, 'Resources') as never, 'ColorSpace') as never;
    return ['Gold', 'Spot'].map((name) => JSON.stringify(resolve((entry(spaces, name) as never[])[3])));
  });
  expect(alternates[0]).toBe(alternates[1]);
  const white = codeOn((await place({ ground: 'White' })).path);
  expect(white.content).toMatch(/0 0 0 0 k 0 0 (\d+) \1 re f\n0 0 0 1 k/);
});

test.each([
  ['EAN-13', '12', 'length', { least: 12, most: 13 }],
  ['EAN-13', '5901234123450', 'checkDigit', { expected: '7' }],
  ['EAN-8', '9638507x', 'digits', {}],
  ['UPC-A', '036000291453', 'checkDigit', { expected: '2' }],
  ['ITF-14', '12345678901234', 'checkDigit', { expected: '1' }],
  ['Code 39', 'abc', 'characters', {}],
  ['Code 128', 'Größe', 'characters', {}],
  ['GS1-128', '4711', 'gs1', {}],
  ['GS1-128', '(01)09521234543210', 'gs1CheckDigit', {}],
  ['GS1-128', `(99)${'A'.repeat(30)}(98)${'B'.repeat(14)}`, 'tooLong', {}],
  ['GS1 DataMatrix', '(10)Ä', 'gs1', {}],
] as const)('%s cannot hold %s: %s', async (symbology, text, code, params) => {
  const { report } = await place({ symbology, text, moduleSize: '0.5pt' });
  const [action] = report.actions;
  expect([action?.outcome, action?.reason]).toMatchObject(['Failed', { code, params: { symbology, ...params } }]);
});

test('the same code is added once; what is empty or has no room is reported', async () => {
  const once = (await place({})).path;
  expect((await quicklyFixedBy(once, key, base)).report.actions[0]?.outcome).toBe('NothingToDo');
  const both = (await quicklyFixedBy(once, key, { ...base, position: 'TopLeft' })).path;
  expect(contentOf(both).match(/PDF2PRESS_Barcode_/g)).toHaveLength(2);
  const empty = await place({ text: '{{order.externalId}}' });
  expect(empty.report.actions[0]?.warnings).toEqual([{ code: 'empty', params: { page: 1 } }]);
  const none = await place({ moduleSize: '20 mm' });
  expect(none.report.actions[0]?.warnings).toEqual([{ code: 'noRoom', params: { page: 1 } }]);
});

test('the code of each page has its own number, and the document stays as it was', async () => {
  const before = await place({ text: '{{page.no}}' }, pdf(3));
  expect(before.report.changes.map(({ page, after }) => [page, after])).toEqual([
    [1, '1'],
    [2, '2'],
    [3, '3'],
  ]);
  expect(look(before.path, documentFacts)).toEqual(look(before.before, documentFacts));
});
