import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { interpretPage } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { contentOf, look, quicklyFixedBy } from '../../testing/fix-files.ts';
import { tinyFont } from '../../testing/tiny-font.ts';

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
/** Boxes of what is filled, rounded. */
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

test('text becomes shapes where it stood, each glyph a form that is used again; no font is left', async () => {
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

test('stroked text keeps its lines, clipping text goes on clipping, invisible text stays unless told', async () => {
  const both = await quicklyFixedBy(page('1 w BT /T 20 Tf 2 Tr 10 100 Td (a) Tj ET'), key);
  expect(shapes(both.path)).toEqual(['both 10 100 22 112']);
  const clip = await quicklyFixedBy(page('q BT /T 20 Tf 7 Tr 10 100 Td (a) Tj ET 0 0 200 200 re f Q'), key);
  expect(clip.report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  const hidden = page('BT /T 20 Tf 3 Tr 10 100 Td (a) Tj ET');
  expect((await quicklyFixedBy(hidden, key)).report.actions[0]?.outcome).toBe('NothingToDo');
  expect(fontsOf((await quicklyFixedBy(hidden, key, { keepInvisibleText: false })).path)).toEqual([]);
});

test('contours fill by the rule of fonts, or even-odd, where what shows tells the difference', async () => {
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

test('fonts whose shapes are unknown make it fail with their names; small sizes are told', async () => {
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

test('text that stays among text that goes keeps its place', async () => {
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
