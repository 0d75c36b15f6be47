/** Fonts of the house are embedded in place of those that a file only names: simple and composite, by names and widths. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fontFactsOf, interpretPage, openFontProgram, programGlyphs } from '@pdf2press/pdf';
import { buildPdf, houseFont, houseOpenTypeFont, type ObjectSource } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { bytesOf, fixed, look, testDir } from '../../testing/fix-files.ts';

const key = 'EmbedFonts';
const names = { family: 'House Sans', postScriptName: 'HouseSans' };

function shelf(...fonts: readonly Uint8Array[]): string[] {
  const dir = testDir();
  return fonts.map((bytes, at) => {
    const file = path.join(dir, `${at}.ttf`);
    writeFileSync(file, bytes);
    return file;
  });
}
const program = openFontProgram(shelf(houseFont(names))[0] ?? '');
const serif = openFontProgram(shelf(houseOpenTypeFont(names))[0] ?? '');
const advances = (text: string, of = program): number[] =>
  [...text].map((char) => Math.round(of.advanceOf(of.glyphOf(char))));

const embedded = (pdf: Uint8Array, fonts: readonly string[], settings: unknown = {}) =>
  fixed(pdf, [{ key, settings, when: { is: 'Always' } }], { gate: { method: 'RGB' } }, fonts);

const pdfWith = (objects: Record<number, ObjectSource>, content: string) =>
  buildPdf({ objects, pages: [{ content, mediaBox: [0, 0, 400, 200], resources: '/Font<</F 50 0 R>>' }] });

/** A simple font with the letters `abc` and two more by Differences. */
const simple = (name: string, of = program, widths = advances('abcÄ€', of)) =>
  pdfWith(
    {
      50: `<</Type/Font/Subtype/TrueType/BaseFont/${name}/FirstChar 97/LastChar 101/Widths[${widths.join(' ')}]
        /Encoding<</BaseEncoding/WinAnsiEncoding/Differences[100/Adieresis/Euro]>>/FontDescriptor 51 0 R>>`,
      51: `<</Type/FontDescriptor/FontName/${name}/Flags 32/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 900/Descent -200/StemV 80>>`,
    },
    'BT /F 20 Tf 20 100 Td (abcde) Tj ET',
  );

const hex = (value: number): string => value.toString(16).padStart(4, '0');
const entries = (codes: readonly number[], text: string) =>
  codes.map((code, at) => `<${hex(code)}><${hex(text.charCodeAt(at))}>`).join('\n');

/** A composite font whose codes are `codes`, with or without the text that they stand for. */
function composite(name: string, codes: readonly number[], text: string, isTold: boolean, of = program) {
  const widths = codes.map((code, at) => `${code}[${advances(text[at] ?? '', of)}]`).join(' ');
  return pdfWith(
    {
      50: `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/Identity-H/DescendantFonts[51 0 R]${isTold ? '/ToUnicode 53 0 R' : ''}>>`,
      51: `<</Type/Font/Subtype/CIDFontType2/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/W[${widths}]/FontDescriptor 52 0 R>>`,
      52: `<</Type/FontDescriptor/FontName/${name}/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 900/Descent -200/StemV 80>>`,
      53: {
        dict: '',
        data: `begincmap 1 begincodespacerange <0000><ffff> endcodespacerange ${codes.length} beginbfchar ${entries(codes, text)} endbfchar endcmap`,
      },
    },
    `BT /F 20 Tf 20 100 Td <${codes.map(hex).join('')}> Tj ET`,
  );
}

/** The text of page 1: letters with their places, the font, and the glyph of the program for each code. */
const shown = (file: string) =>
  look(file, (pdf) => {
    const found: { text: string; x: number; y: number; isEmbedded: boolean; name: string; glyph: number }[] = [];
    interpretPage(pdf, 1, [
      {
        text({ font, glyphs }) {
          if (!font) return;
          const codes = glyphs().map(({ code, codeBytes }) => code.toString(16).padStart(2 * codeBytes, '0'));
          const numbers = font.isEmbedded ? programGlyphs(pdf, font, codes) : new Map();
          for (const [at, { unicode, x, y }] of glyphs().entries())
            found.push({
              ...{ text: unicode, x, y, isEmbedded: font.isEmbedded, name: font.name },
              glyph: numbers.get(codes[at] ?? '')?.glyph ?? 0,
            });
        },
      },
    ]);
    return found;
  });

/** Letters stay at their places, and each is shown by the glyph of its character. */
function expectEmbedded(before: string, after: string, text: string, of = program): void {
  const [was, is] = [shown(before), shown(after)];
  expect(is.map(({ x, y }) => [x, y])).toEqual(was.map(({ x, y }) => [x, y]));
  expect(is.map(({ isEmbedded }) => isEmbedded)).toEqual(was.map(() => true));
  expect(is.map(({ glyph }) => glyph)).toEqual([...text].map((char) => of.glyphOf(char)));
  const listed = spawnSync('pdffonts', [after], { encoding: 'utf8' });
  if (listed.error) return;
  expect(listed.stdout.trim().split('\n')[2]).toMatch(/ yes +(?:yes|no) +(?:yes|no) +\d+ +\d+$/);
  expect(listed.stderr).toBe('');
  const read = spawnSync('pdftotext', ['-layout', after, '-'], { encoding: 'utf8' });
  expect([read.stdout.trim(), read.stderr]).toEqual([is.map((one) => one.text).join(''), '']);
}

test.each(['HouseSans', 'ABCDEF+HouseSans', 'House-Sans', 'HouseSans,Regular'])(
  'a simple font named %s gets the glyphs that are shown of a TrueType font',
  async (name) => {
    const { report, path: after, before } = await embedded(simple(name), shelf(houseFont(names)));
    expect(report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [], gate: { isPassed: true, broken: [] } });
    expect(report.changes[0]).toMatchObject({ what: 'font', after: 'HouseSans' });
    expectEmbedded(before, after, 'abcÄ€');
    expect(shown(after)[0]?.name).toMatch(/^[A-Z]{6}\+HouseSans$/);
    const again = await embedded(bytesOf(after), shelf(houseFont(names)));
    expect(again.report.actions[0]?.outcome).toBe('NothingToDo');
  },
);

test('a simple font gets PostScript outlines by the names of their glyphs', async () => {
  const { report, path: after, before } = await embedded(simple('HouseSans', serif), shelf(houseOpenTypeFont(names)));
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [] });
  expectEmbedded(before, after, 'abcÄ€', serif);
  expect(shown(after)[0]?.name).toMatch(/^[A-Z]{6}\+HouseSans$/);
});

test.each([
  ['TrueType', houseFont(names), program],
  ['PostScript', houseOpenTypeFont(names), serif],
] as const)('a composite font gets the glyphs of its text of a font with %s outlines', async (_, font, of) => {
  // Codes that are no numbers of glyphs in that font.
  const pdf = composite('ABCDEF+HouseSans', [3, 900, 5, 70], 'HÄm€', true, of);
  const { report, path: after, before } = await embedded(pdf, shelf(font));
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [], gate: { isPassed: true, broken: [] } });
  expectEmbedded(before, after, 'HÄm€', of);
  expect(shown(after).map(({ text }) => text)).toEqual([...'HÄm€']);
});

test('codes without text are numbers of glyphs, if the font has the very name and all widths agree', async () => {
  const text = 'Himwe';
  const numbers = [...text].map((char) => program.glyphOf(char));
  const fonts = shelf(houseFont(names));
  const pdf = composite('HouseSans', numbers, text, false);
  const { report, path: after } = await embedded(pdf, fonts);
  expect(report.changes[0]).toMatchObject({ what: 'numbered' });
  expect(shown(after).map(({ glyph }) => glyph)).toEqual(numbers);
  const unknown = { outcome: 'NothingToDo', warnings: [{ code: 'codesUnknown' }] };
  // Another name, other numbers (so other widths), too few different widths.
  expect((await embedded(composite('House-Sans', numbers, text, false), fonts)).report.actions[0]).toMatchObject(
    unknown,
  );
  const moved = numbers.map((number) => number + 1);
  expect((await embedded(composite('HouseSans', moved, text, false), fonts)).report.actions[0]).toMatchObject(unknown);
  const few = [...'nn'].map((char) => program.glyphOf(char));
  expect((await embedded(composite('HouseSans', few, 'nn', false), fonts)).report.actions[0]).toMatchObject(unknown);
});

test('what a licence forbids is not done: restricted fonts stay out, those without subsets are embedded whole', async () => {
  const restricted = await embedded(simple('HouseSans'), shelf(houseFont({ ...names, fsType: 2 })));
  expect(restricted.report.actions[0]).toMatchObject({
    outcome: 'NothingToDo',
    warnings: [{ code: 'notAllowed', params: { font: 'HouseSans', embedding: 'HouseSans' } }],
  });
  const whole = houseFont({ ...names, fsType: 0x108 });
  const { path: after, before } = await embedded(simple('HouseSans'), shelf(whole));
  expectEmbedded(before, after, 'abcÄ€');
  expect(shown(after)[0]?.name).toBe('HouseSans');
  look(after, (pdf) => {
    interpretPage(pdf, 1, [
      { text: ({ font }) => expect(fontFactsOf(pdf.stream(font?.program ?? 0)).isSubsettingForbidden).toBe(true) },
    ]);
  });
});

test('letters of other widths leave the font, or are embedded at their places; what lacks is named', async () => {
  const [a = 0, ...rest] = advances('abcÄ€');
  const wide = simple('HouseSans', program, [a + 90, ...rest]);
  const fonts = shelf(houseFont(names));
  const left = await embedded(wide, fonts);
  expect(left.report.actions[0]).toMatchObject({
    outcome: 'NothingToDo',
    warnings: [{ code: 'widthsDiffer', params: { font: 'HouseSans', letters: ['a'] } }],
  });
  const kept = await embedded(wide, fonts, { otherWidths: 'KeepPlaces' });
  expect(kept.report.actions[0]).toMatchObject({
    outcome: 'Applied',
    warnings: [{ code: 'placesKept', params: { letters: ['a'] } }],
  });
  expectEmbedded(kept.before, kept.path, 'abcÄ€');
  const foreign = await embedded(composite('HouseSans', [3, 4], 'a中', true), fonts);
  expect(foreign.report.actions[0]).toMatchObject({
    outcome: 'NothingToDo',
    warnings: [{ code: 'lettersMissing', params: { font: 'HouseSans', letters: ['中'] } }],
  });
});

test('a file that is no font is told where a font is missing; a second font of the name is tried', async () => {
  const broken = shelf(Buffer.from('no font at all'), houseFont({ ...names, postScriptName: 'Other' }));
  const missing = await embedded(simple('Verdana'), broken);
  expect(missing.report.actions[0]?.warnings).toEqual([
    { code: 'noFont', params: { font: 'Verdana' } },
    { code: 'fontUnreadable', params: { file: '0.ttf' } },
  ]);
  // The serif has other widths.
  const both = await embedded(simple('HouseSans'), shelf(houseOpenTypeFont(names), houseFont(names)));
  expect(both.report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [] });
  expectEmbedded(both.before, both.path, 'abcÄ€');
});

test('standard symbols get free ones, by their codes and by the names of an encoding', async () => {
  const pdf = buildPdf({
    objects: {
      50: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>',
      51: '<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats/Encoding<</Differences[97/a20]>>>>',
    },
    pages: [
      {
        content: 'BT /S 20 Tf 20 100 Td (abp\\245) Tj /Z 20 Tf (a4) Tj ET',
        mediaBox: [0, 0, 400, 200],
        resources: '/Font<</S 50 0 R/Z 51 0 R>>',
      },
    ],
  });
  const { report, path: after, before } = await embedded(pdf, []);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', warnings: [], gate: { isPassed: true, broken: [] } });
  expect(report.changes.map((change) => change.after)).toEqual(['FoxitSymbol', 'FoxitDingbats']);
  const letters = shown(after);
  expect(letters.every(({ isEmbedded, glyph }) => isEmbedded && glyph > 0)).toBe(true);
  const places = (file: string): string => spawnSync('pdftotext', ['-bbox', file, '-'], { encoding: 'utf8' }).stdout;
  const widths = (text: string): number[] =>
    [...(text ?? '').matchAll(/xM(?:in|ax)="([\d.]+)"/g)].map(([, x]) => Number(x));
  // Poppler knows the metrics of the standard fonts by itself.
  const [is, was] = [widths(places(after)), widths(places(before))];
  for (const [at, x] of is.entries()) expect(Math.abs(x - (was[at] ?? 0))).toBeLessThan(0.5);
  const kept = await embedded(pdf, [], { standIns: false });
  expect(kept.report.actions[0]).toMatchObject({
    outcome: 'NothingToDo',
    warnings: [{ code: 'noFont' }, { code: 'noFont' }],
  });
});
