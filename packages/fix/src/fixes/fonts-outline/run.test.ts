import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { interpretPage } from '@pdf2press/pdf';
import { buildPdf, tinyFont } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { contentOf, look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'FontsOutline';
const program = tinyFont();
const objects = {
  10: '<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+Tiny/FirstChar 97/LastChar 97/Widths[700]/FontDescriptor 11 0 R>>',
  11: '<</Type/FontDescriptor/FontName/ABCDEF+Tiny/Flags 4/FontBBox[0 0 600 600]/Ascent 800/Descent -200/ItalicAngle 0/StemV 80/CapHeight 600/FontFile2 12 0 R>>',
  12: { dict: `/Length1 ${program.length}`, data: program },
  13: '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
};
const page = (content: string, pages = 1) =>
  buildPdf({
    objects,
    pages: Array.from({ length: pages }, () => ({
      content,
      mediaBox: [0, 0, 200, 200] as const,
      resources: '/Font<</T 10 0 R/C 13 0 R>>',
    })),
  });
const fontsOf = (path: string): string[] =>
  look(path, (file) => {
    const names = new Set<string>();
    interpretPage(file, 1, [{ text: ({ font }) => void (font && names.add(font.baseName)) }]);
    return [...names];
  });
/** Rounded boxes of filled objects. */
const shapes = (path: string): string[] =>
  look(path, (file) => {
    const found: string[] = [];
    interpretPage(
      file,
      1,
      [{ path: ({ bbox, paints }) => void found.push(`${paints} ${bbox.map(Math.round).join(' ')}`) }],
      {
        everyUse: true,
      },
    );
    return found;
  });

test('text becomes shapes in its place, glyphs are shared forms, and no font is left', async () => {
  const line = '0 0.5 1 0 k BT /T 20 Tf 10 100 Td 2 Tc (aaa) Tj 0 -30 Td [(a) -500 (a)] TJ ET';
  const { report, path } = await quicklyFixedBy(page(line), key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  expect(report.changes).toMatchObject([{ what: 'font', before: 'Tiny', params: { glyphs: 5 } }]);
  expect(shapes(path)).toEqual(
    [10, 26, 42].map((x) => `fill ${x} 100 ${x + 12} 112`).concat([10, 36].map((x) => `fill ${x} 70 ${x + 12} 82`)),
  );
  expect(contentOf(path)).toContain('0 0.5 1 0 k');
  const { stdout, error } = spawnSync('pdffonts', [path], { encoding: 'utf8' });
  if (!error) expect(stdout.trim().split('\n')).toHaveLength(2);
  expect((await quicklyFixedBy(path, key)).report.actions[0]?.outcome).toBe('NothingToDo');
  const large = await quicklyFixedBy(page(`${line} `.repeat(200)), key);
  expect(statSync(large.path).size).toBeLessThan(statSync(path).size + 6000);
});

test('stroked text keeps its lines, clipping text still clips, invisible text stays by default', async () => {
  const both = await quicklyFixedBy(page('1 w BT /T 20 Tf 2 Tr 10 100 Td (a) Tj ET'), key);
  expect(shapes(both.path)).toEqual(['both 10 100 22 112']);
  const clip = await quicklyFixedBy(page('q BT /T 20 Tf 7 Tr 10 100 Td (a) Tj ET 0 0 200 200 re f Q'), key);
  expect(clip.report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  const hidden = page('BT /T 20 Tf 3 Tr 10 100 Td (a) Tj ET');
  expect((await quicklyFixedBy(hidden, key)).report.actions[0]?.outcome).toBe('NothingToDo');
  expect(fontsOf((await quicklyFixedBy(hidden, key, { keepInvisibleText: false })).path)).toEqual([]);
});

test('contours are filled by the set rule where the result differs', async () => {
  const pdf = page('BT /T 100 Tf 10 100 Td (a) Tj ET');
  expect((await quicklyFixedBy(pdf, key)).report.actions[0]?.outcome).toBe('Applied');
  const { report } = await quicklyFixedBy(pdf, key, { fillRule: 'EvenOdd' });
  expect(report.actions[0]).toMatchObject({ outcome: 'Failed', reason: { code: 'gate.look' } });
});

test.each([
  [{ scope: 'Names', names: ['tin*'] }, 'Applied'],
  [{ scope: 'Names', names: ['Other'] }, 'NothingToDo'],
  [{ scope: 'Type3' }, 'NothingToDo'],
  [{ scope: 'Protected' }, 'NothingToDo'],
  [{ scope: 'NotEmbedded' }, 'NothingToDo'],
  [{ minSize: 21 }, 'NothingToDo'],
  [{ maxSize: 19 }, 'NothingToDo'],
  [{ minSize: 20, maxSize: 20 }, 'Applied'],
] as const)('%o: %s', async (settings, outcome) => {
  const { report } = await quicklyFixedBy(page('BT /T 20 Tf 10 100 Td (a) Tj ET'), key, settings);
  expect(report.actions[0]?.outcome).toBe(outcome);
});

test('text in fonts without embedded outlines fails with their names; small sizes are reported', async () => {
  const missing = await quicklyFixedBy(page('BT /C 20 Tf 10 100 Td (a) Tj ET'), key);
  expect(missing.report).toMatchObject({
    out: null,
    actions: [{ outcome: 'Failed', reason: { code: 'fontNotEmbedded', params: { fonts: ['Courier'] } } }],
  });
  const small = await quicklyFixedBy(page('BT /T 5 Tf 10 100 Td (a) Tj ET'), key);
  expect(small.report.actions[0]?.warnings).toMatchObject([
    { code: 'small', params: { font: 'Tiny', size: 5, limit: 6 } },
  ]);
});

test('remaining text between outlined text keeps its position', async () => {
  const pdf = page('BT /T 20 Tf 10 100 Td (a) Tj /C 20 Tf (b) Tj ET');
  const before = look((await quicklyFixedBy(pdf, 'ThickenLines')).path, placesOf);
  const { path } = await quicklyFixedBy(pdf, key, { scope: 'Names', names: ['Tiny'] });
  expect(fontsOf(path)).toEqual(['Courier']);
  expect(look(path, placesOf)).toEqual(before.slice(1));
});

const placesOf = (file: Parameters<Parameters<typeof look>[1]>[0]): string[] => {
  const found: string[] = [];
  interpretPage(file, 1, [
    { text: ({ matrix }) => void found.push(matrix.map((value) => Math.round(value * 10) / 10).join(' ')) },
  ]);
  return found;
};

/** Text in every mode and every place; the picture must be the same, with no font left. */
const everywhere = {
  ...objects,
  20: {
    dict: '/Type/XObject/Subtype/Form/BBox[0 0 60 30]/Resources<</Font<</T 10 0 R>>>>',
    data: 'BT /T 20 Tf 1 Tr 2 5 Td (a) Tj 0 Tr (a) Tj ET',
  },
  21: {
    dict: '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 20 20]/XStep 20/YStep 20/Resources<</Font<</T 10 0 R>>>>',
    data: '1 0 0 rg BT /T 14 Tf 2 2 Td (a) Tj ET',
  },
  22: '<</Type/Annot/Subtype/Stamp/F 4/Rect[130 10 190 40]/AP<</N 20 0 R>>>>',
  // A Type 3 font with glyphs larger than its FontBBox: one coloured, one uncoloured, one that shows text, one that is
  // an image.
  23: '<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[0.01 0 0 0.01 0 0]/CharProcs<</a 24 0 R/b 25 0 R/c 26 0 R/d 30 0 R>>/Encoding<</Differences[97/a/b/c/d]>>/FirstChar 97/LastChar 100/Widths[70 70 70 70]/Resources<</Font<</T 10 0 R>>>>>>',
  24: { dict: '', data: '70 0 d0 0 0 1 rg 0 0 60 60 re f' },
  25: { dict: '', data: '70 0 0 0 60 60 d1 0 0 1 rg 0 0 60 60 re f' },
  26: { dict: '', data: '70 0 d0 0 g BT /T 100 Tf (a) Tj ET' },
  27: '<</Type/Font/Subtype/Type0/BaseFont/Tiny/Encoding/Identity-V/DescendantFonts[28 0 R]>>',
  28: '<</Type/Font/Subtype/CIDFontType2/BaseFont/Tiny/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 11 0 R/DW 700/CIDToGIDMap/Identity>>',
  29: {
    dict: '/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Group<</S/Transparency/CS/DeviceGray>>/Resources<</Font<</T 10 0 R>>>>',
    data: '1 g BT /T 40 Tf 140 60 Td (a) Tj ET',
  },
  30: { dict: '', data: '70 0 0 0 60 60 d1 60 0 0 60 0 0 cm BI /W 8/H 8/IM true ID abcdefgh EI' },
} as const;
const modes = [0, 1, 2, 4, 5, 6, 7]
  .map((mode, index) => `q 2 w BT /T 20 Tf ${mode} Tr ${8 + index * 26} 170 Td (a) Tj ET 0 1 0 rg 0 175 200 4 re f Q`)
  .join('\n');
const cells = [
  modes,
  'q 1 0 0 1 10 130 cm /Fm Do Q',
  '/Pattern cs /P scn 80 125 40 40 re f BT /T 60 Tf 130 125 Td (a) Tj ET',
  '1 0 0 rg BT /Three 20 Tf 10 100 Td (abcdd) Tj ET 0 0.4 0 rg 85 90 10 10 re f',
  'BT /V 16 Tf 20 90 Td <00010001> Tj ET',
  'q /Half gs 0 0 1 rg BT /T 40 Tf 60 40 Td [(a) 300 (a)] TJ ET Q',
  'q /Mask gs 1 0 1 rg 130 50 60 60 re f Q',
  `BT /T 12 Tf 14 TL 60 20 Td (a) ' 3 2 (a a) " T* (a) Tj ET`,
  'BT /T 12 Tf 20 20 Td () Tj ET',
];

test('text in all modes, in forms, patterns, glyphs, masks and appearances looks the same as shapes, and no font is left', async () => {
  const pdf = buildPdf({
    objects: everywhere,
    pages: [
      {
        content: cells.join('\n'),
        mediaBox: [0, 0, 200, 200],
        resources:
          '/Font<</T 10 0 R/V 27 0 R/Three 23 0 R>>/XObject<</Fm 20 0 R>>/Pattern<</P 21 0 R>>/ExtGState<</Half<</ca 0.5>>/Mask<</SMask<</S/Luminosity/G 29 0 R>>>>>>',
        extra: '/Annots[22 0 R]',
      },
    ],
  });
  const { report, path } = await quicklyFixedBy(pdf, key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  look(path, (file) => {
    const left: string[] = [];
    const seen = ({ place }: { place: { op: string } }) => void left.push(place.op);
    const operators = new Set(['BT', 'ET', 'Tf', 'Tj', 'TJ', "'", '"', 'Td', 'Tm', 'T*', 'Tr', 'd0', 'd1']);
    interpretPage(file, 1, [{ operators, operator: seen }], { everyUse: true });
    expect(left).toEqual([]);
  });
  const { stdout, error } = spawnSync('pdffonts', [path], { encoding: 'utf8' });
  if (!error) expect(stdout.trim().split('\n')).toHaveLength(2);
  expect((await quicklyFixedBy(path, key)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('text in a font that is written directly in the resources is outlined, too', async () => {
  const direct = buildPdf({
    objects,
    pages: [{ content: 'BT /T 20 Tf 10 100 Td (aa) Tj ET', resources: `/Font<</T ${objects[10]}>>` }],
  });
  const { report, path } = await quicklyFixedBy(direct, key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  expect(shapes(path)).toEqual(['fill 10 100 22 112', 'fill 24 100 36 112']);
  expect(fontsOf(path)).toEqual([]);
});
