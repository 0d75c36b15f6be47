/** Fonts that a file only names are embedded: judged by poppler where it is installed, and by their outlines. */
import { spawnSync } from 'node:child_process';
import { fontOutlines, type Glyph, interpretPage, standInOf } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { bytesOf, fixed, look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'EmbedFonts';
const page = (fonts: string, content: string, extra = '') =>
  buildPdf({ pages: [{ content, mediaBox: [0, 0, 400, 200], resources: `/Font<<${fonts}>>`, extra }], objects: {} });
const withFonts = (fonts: readonly string[], content: string) =>
  buildPdf({
    objects: Object.fromEntries(fonts.map((font, index) => [50 + index, font])),
    pages: [
      {
        content,
        mediaBox: [0, 0, 400, 200],
        resources: `/Font<<${fonts.map((_, index) => `/F${index} ${50 + index} 0 R`).join('')}>>`,
      },
    ],
  });

const named = (name: string, extra = '', subtype = 'Type1') =>
  `<</Type/Font/Subtype/${subtype}/BaseFont/${name}${extra}>>`;

/** Fonts used on page 1: name, whether embedded, and each shown glyph with its place. */
const seen = (path: string) =>
  look(path, (file) => {
    const fonts = new Map<
      string,
      { isEmbedded: boolean; glyphs: Pick<Glyph, 'unicode' | 'x' | 'y'>[]; missing: string[] }
    >();
    interpretPage(
      file,
      1,
      [
        {
          text(event) {
            const { font } = event;
            if (!font) return;
            const entry = fonts.get(font.baseName) ?? { isEmbedded: font.isEmbedded, glyphs: [], missing: [] };
            fonts.set(font.baseName, entry);
            const codes = event.glyphs().map(({ code }) => code.toString(16).padStart(2, '0'));
            const outlines = font.object ? fontOutlines(file, font.object, codes) : new Map();
            for (const [index, { x, y, unicode }] of event.glyphs().entries()) {
              entry.glyphs.push({ unicode, x, y });
              if (unicode.trim() !== '' && (outlines.get(codes[index] ?? '') ?? []).length === 0)
                entry.missing.push(unicode);
            }
          },
        },
      ],
      { annotations: true, everyUse: true },
    );
    return fonts;
  });

test.each([
  ['Helvetica', 'LiberationSans'],
  ['Helvetica-BoldOblique', 'LiberationSans-BoldItalic'],
  ['ArialMT', 'LiberationSans'],
  ['Arial,Bold', 'LiberationSans-Bold'],
  ['Arial-BoldItalicMT', 'LiberationSans-BoldItalic'],
  ['Times-Roman', 'FoxitSerif'],
  ['TimesNewRomanPSMT', 'FoxitSerif'],
  ['TimesNewRomanPS-ItalicMT', 'FoxitSerif-Italic'],
  ['TimesNewRoman,BoldItalic', 'FoxitSerif-BoldItalic'],
  ['Courier-Oblique', 'FoxitFixed-Italic'],
  ['CourierNewPS-BoldMT', 'FoxitFixed-Bold'],
  ['Courier New', 'FoxitFixed'],
])('%s is replaced by %s', (name, standIn) => expect(standInOf(name)?.name).toBe(standIn));

test.each(['ArialNarrow', 'Arial-Black', 'Verdana', 'Symbol', 'HelveticaNeue-Bold', 'TimesTen-Roman'])(
  '%s has other metrics, so nothing replaces it',
  (name) => expect(standInOf(name)).toBeNull(),
);

test('standard fonts are embedded; every letter stays at its place and has an outline', async () => {
  const latin = '(Hamburg 123, \\344\\366\\374\\337 \\200 \\223x\\224 caf\\351) Tj';
  const standard = "(quote ' ` \\252x\\272 \\256\\257 \\341) Tj";
  const fonts = ['Helvetica', 'Times-Italic', 'Courier-Bold'].map((name) => named(name, '/Encoding/WinAnsiEncoding'));
  const own = ['Helvetica-Bold', 'Times-Roman', 'Courier'].map((name) => named(name));
  const lines = [...fonts, ...own].map(
    (_, index) => `BT /F${index} 11 Tf 20 ${170 - 25 * index} Td ${index < fonts.length ? latin : standard} ET`,
  );
  const { report, path, before } = await quicklyFixedBy(withFonts([...fonts, ...own], lines.join('\n')), key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [], gate: { isPassed: true, broken: [] } });
  expect(report.changes.map(({ before, after }) => `${before} ${after}`)).toEqual([
    'Helvetica LiberationSans',
    'Times-Italic FoxitSerif-Italic',
    'Courier-Bold FoxitFixed-Bold',
    'Helvetica-Bold LiberationSans-Bold',
    'Times-Roman FoxitSerif',
    'Courier FoxitFixed',
  ]);
  const [was, is] = [seen(before), seen(path)];
  const [placed, original] = [is, was].map((fonts) => [...fonts.values()].flatMap(({ glyphs }) => glyphs));
  expect(placed?.map(({ unicode }) => unicode)).toEqual(original?.map(({ unicode }) => unicode));
  const moved =
    placed?.map(({ x, y }, at) => Math.hypot(x - (original?.[at]?.x ?? 0), y - (original?.[at]?.y ?? 0))) ?? [];
  // Standard widths are whole thousandths of the size, of which a line has some thirty.
  expect(Math.max(...moved)).toBeLessThan(0.1);
  expect([...is.values()].every(({ isEmbedded }) => isEmbedded)).toBe(true);
  expect([...is.values()].flatMap(({ missing }) => missing)).toEqual([]);
  // Poppler agrees, and reads the same text, where it is installed.
  const listed = spawnSync('pdffonts', [path], { encoding: 'utf8' });
  if (!listed.error) {
    expect(
      listed.stdout
        .trim()
        .split('\n')
        .slice(2)
        .map((line) => / (yes|no) +(?:yes|no) +(?:yes|no) +\d+ +\d+$/.exec(line)?.[1]),
    ).toEqual(Array(6).fill('yes'));
    expect(listed.stderr).toBe('');
    const text = (of: string): string => spawnSync('pdftotext', ['-layout', of, '-'], { encoding: 'utf8' }).stdout;
    expect(text(path)).toBe(text(before));
  }
  expect((await quicklyFixedBy(bytesOf(path), key)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('text can be outlined and becomes PDF/X afterwards', async () => {
  const pdf = withFonts([named('Helvetica')], 'BT /F0 12 Tf 20 100 Td (Ready for print) Tj ET');
  const always = { is: 'Always' };
  for (const next of [
    { key: 'FontsOutline', settings: { warnBelowSize: null } },
    { key: 'ConvertToPdfX', settings: { standard: 'PDF/X-4', profile: 'fogra39l-coated' } },
  ] as const) {
    const alone = await fixed(pdf, [{ ...next, when: always }]);
    expect(alone.report.actions[0]).toMatchObject({
      outcome: 'Failed',
      reason: { code: expect.stringContaining('fontNotEmbedded') },
    });
    const { report } = await fixed(pdf, [
      { key, when: always },
      { ...next, when: always },
    ]);
    expect(report.actions.map(({ outcome }) => outcome)).toEqual(['Applied', 'Applied']);
  }
});

test('names and differences of an encoding are kept; a letter that is lacking leaves the font and is named', async () => {
  const differences = '/Encoding<</Differences[65/Eacute/germandbls 200/Scaron]>>';
  const { report, path } = await quicklyFixedBy(
    withFonts([named('Times-Roman', differences)], 'BT /F0 12 Tf 20 100 Td (AB\\310 C) Tj ET'),
    key,
  );
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [] });
  expect([...seen(path).values()][0]?.glyphs.map(({ unicode }) => unicode)).toEqual(['É', 'ß', 'Š', ' ', 'C']);
  const lacking = withFonts(
    [named('Helvetica', '/Encoding<</Differences[65/g17 66/uni4E2D]>>')],
    'BT /F0 12 Tf 20 100 Td (AB C) Tj ET',
  );
  const kept = await quicklyFixedBy(lacking, key);
  expect(kept.report.actions[0]).toMatchObject({
    outcome: 'NothingToDo',
    warnings: [{ code: 'lettersMissing', params: { font: 'Helvetica', letters: ['#41', '中'] } }],
  });
  const failed = await quicklyFixedBy(lacking, key, { otherFonts: 'Fail' });
  expect(failed.report.actions[0]).toMatchObject({ outcome: 'Failed' });
});

test('a width that differs leaves the font, unless it is within the tolerance; widths of the file stay', async () => {
  const widths = (a: number): string => `/FirstChar 97/LastChar 98/Widths[${a} 556]/Encoding/WinAnsiEncoding`;
  const pdf = (a: number) => withFonts([named('Arial', widths(a), 'TrueType')], 'BT /F0 20 Tf 20 100 Td (ab) Tj ET');
  const apart = await quicklyFixedBy(pdf(600), key);
  expect(apart.report.actions[0]).toMatchObject({
    outcome: 'NothingToDo',
    warnings: [{ code: 'widthsDiffer', params: { font: 'Arial', letters: ['a'] } }],
  });
  const near = await quicklyFixedBy(pdf(560), key, { widthTolerance: '1 %' });
  expect(near.report.actions[0]).toMatchObject({ outcome: 'Applied' });
  expect([...seen(near.path).values()][0]?.glyphs[1]?.x).toBeCloseTo(31.2);
  // A letter whose width only the descriptor tells.
  const descriptor = '/FontDescriptor<</Type/FontDescriptor/FontName/Arial/Flags 32/MissingWidth 278>>';
  const missing = await quicklyFixedBy(
    withFonts([named('Arial', `${widths(556)}${descriptor}`, 'TrueType')], 'BT /F0 20 Tf 20 100 Td (a b) Tj ET'),
    key,
  );
  expect(missing.report.actions[0]).toMatchObject({ outcome: 'Applied' });
  expect([...seen(missing.path).values()][0]?.glyphs[2]?.x).toBeCloseTo(36.68);
});

test('fonts of other metrics and those not asked for stay; text in annotations counts', async () => {
  const both = withFonts(
    [named('Helvetica'), named('Verdana', '/FirstChar 97/LastChar 97/Widths[601]', 'TrueType')],
    'BT /F0 12 Tf 20 100 Td (a) Tj /F1 12 Tf (a) Tj ET',
  );
  const { report } = await quicklyFixedBy(both, key);
  expect(report.actions[0]).toMatchObject({
    outcome: 'Applied',
    warnings: [{ code: 'noFont', params: { font: 'Verdana' } }],
  });
  expect((await quicklyFixedBy(both, key, { names: ['Times*'] })).report.actions[0]).toMatchObject({
    outcome: 'NothingToDo',
    warnings: [],
  });
  const stamp = buildPdf({
    objects: {
      50: named('Courier'),
      51: {
        dict: '/Type/XObject/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</F 50 0 R>>>>',
        data: 'BT /F 12 Tf 2 4 Td (paid) Tj ET',
      },
    },
    pages: [{ content: '', extra: '/Annots[<</Type/Annot/Subtype/Stamp/F 4/Rect[10 10 110 30]/AP<</N 51 0 R>>>>]' }],
  });
  const inside = await quicklyFixedBy(stamp, key);
  expect(inside.report.actions[0]).toMatchObject({ outcome: 'Applied' });
  expect(seen(inside.path).get('FoxitFixed')?.isEmbedded).toBe(true);
});

test('fonts written directly in resources are embedded, equal ones once for all', async () => {
  const direct = named('Helvetica', '/Encoding/WinAnsiEncoding');
  const show = (font: string, y: number): string => `BT /${font} 12 Tf 20 ${y} Td (Direct) Tj ET`;
  const pdf = buildPdf({
    objects: {
      50: {
        dict: `/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources<</Font<</F ${direct}>>>>`,
        data: show('F', 60),
      },
      51: `<</F ${direct}/B ${named('Courier')}>>`,
    },
    pages: [
      { content: show('F', 20), resources: `/Font<</F ${direct}>>` },
      { content: `${show('F', 20)} ${show('B', 40)} /X Do`, resources: '/Font 51 0 R/XObject<</X 50 0 R>>' },
      {
        content: '/State gs BT 20 100 Td (State) Tj ET',
        resources: `/ExtGState<</State<</Font[${named('Times-Roman')} 12]>>>>`,
      },
    ],
  });
  const { report, path, before } = await quicklyFixedBy(pdf, key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [], gate: { isPassed: true, broken: [] } });
  expect(report.changes.map(({ before, after }) => `${before} ${after}`)).toEqual([
    'Helvetica LiberationSans',
    'Courier FoxitFixed',
    'Times-Roman FoxitSerif',
  ]);
  const places = (of: string) =>
    [...seen(of).values()].flatMap(({ glyphs }) => glyphs.map(({ unicode, x }) => [unicode, Math.round(x * 100)]));
  expect(places(path)).toEqual(places(before));
  const listed = spawnSync('pdffonts', [path], { encoding: 'utf8' });
  if (!listed.error) {
    // It does not look into graphics states.
    const fonts = listed.stdout.trim().split('\n').slice(2);
    expect(fonts.map((line) => / (yes|no) +(?:yes|no) +(?:yes|no) +\d+ +\d+$/.exec(line)?.[1])).toEqual(
      Array(2).fill('yes'),
    );
    const text = spawnSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }).stdout;
    expect(text.match(/Direct|State/g)).toEqual([...Array(4).fill('Direct'), 'State']);
  }
  expect((await quicklyFixedBy(bytesOf(path), key)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test('what says too little to be a font that can be replaced is left and told', async () => {
  const { report } = await quicklyFixedBy(
    page('/F<</Type/Font/Subtype/Type1>>', 'BT /F 12 Tf 20 100 Td (a) Tj ET'),
    key,
  );
  expect(report.actions[0]).toMatchObject({
    outcome: 'NothingToDo',
    warnings: [{ code: 'unusable', params: { font: '' } }],
  });
});
