/** Font files: what they say of themselves, and what becomes of damaged ones. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import * as mupdf from 'mupdf';
import { expect, test } from 'vitest';
import { houseFont, houseOpenTypeFont } from '../testing/house-font.ts';
import { readCff, readCffParts } from './cff.ts';
import { fontFactsOf, readFontFile } from './font-facts.ts';
import { openFontProgram } from './font-program.ts';
import { openSfnt, sourceOf } from './sfnt.ts';
import { subsetCff } from './subset-cff.ts';

const house = { family: 'House Sans', style: 'Bold', postScriptName: 'HouseSans-Bold' };
const written = (bytes: Uint8Array): string => {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'font-test-')), 'font');
  writeFileSync(file, bytes);
  return file;
};

/** A glyph as MuPDF draws it. */
function inkOf(font: mupdf.Font, glyph: number): number[] {
  const pixmap = new mupdf.Pixmap(mupdf.ColorSpace.DeviceGray, [0, 0, 60, 60], true);
  pixmap.clear();
  const device = new mupdf.DrawDevice(mupdf.Matrix.identity, pixmap);
  const text = new mupdf.Text();
  text.showGlyph(font, [40, 0, 0, -40, 10, 45], glyph, 65);
  device.fillText(text, mupdf.Matrix.identity, mupdf.ColorSpace.DeviceGray, [1], 1);
  device.close();
  return [...pixmap.getPixels()];
}

test('a font tells its names, its kind and what its maker allows', () => {
  expect(fontFactsOf(houseFont(house))).toEqual({
    postScriptName: 'HouseSans-Bold',
    family: 'House Sans',
    style: 'Bold',
    fullName: 'House Sans Bold',
    kind: 'TrueType',
    glyphCount: 681,
    embedding: 'Installable',
    isSubsettingForbidden: false,
    isBitmapOnly: false,
    mayEmbed: true,
  });
  expect(fontFactsOf(houseOpenTypeFont(house))).toMatchObject({ postScriptName: 'HouseSans-Bold', kind: 'OpenType' });
  expect(readFontFile(written(houseFont(house)))).toEqual(fontFactsOf(houseFont(house)));
});

test.each([
  [0x0000, 'Installable', false, true],
  [0x0002, 'Restricted', false, false],
  [0x0004, 'PreviewAndPrint', false, true],
  [0x0008, 'Editable', false, true],
  // Several bits, as before they excluded each other: the most generous.
  [0x000e, 'Editable', false, true],
  [0x0006, 'PreviewAndPrint', false, true],
  [0x0104, 'PreviewAndPrint', true, true],
  [0x0208, 'Editable', false, false],
])('licence bits %i: %s, whole only %s, may be embedded %s', (fsType, embedding, isSubsettingForbidden, mayEmbed) =>
  expect(fontFactsOf(houseFont({ ...house, fsType }))).toMatchObject({ embedding, isSubsettingForbidden, mayEmbed }),
);

test.each([
  ['TrueType', houseFont(house)],
  ['OpenType', houseOpenTypeFont(house)],
])('the glyphs and advances of a %s font are those that MuPDF finds', (_, bytes) => {
  const program = openFontProgram(written(bytes));
  const other = new mupdf.Font('other', bytes);
  for (const char of 'Hamburgefonstiv ÄÖÜß éèê 0123 “”–€') {
    const glyph = other.encodeCharacter(char.codePointAt(0) ?? 0);
    expect([char, program.glyphOf(char)]).toEqual([char, glyph]);
    expect(program.advanceOf(glyph)).toBeCloseTo(other.advanceGlyph(glyph, 0) * 1000, 0);
  }
  expect(program.glyphOf('中')).toBe(0);
  expect(program.glyphOf('fi')).toBe(program.glyphOf('ﬁ'));
});

test('a subset has the outlines that are used, under their numbers, and no others', () => {
  const whole = houseFont(house);
  const program = openFontProgram(written(whole));
  // Ä is composed of two others.
  const used = ['A', 'Ä', 'b'].map((char) => program.glyphOf(char));
  const { bytes, prefix } = program.embedded(used);
  expect(prefix).toMatch(/^[A-Z]{6}\+$/);
  expect(bytes.length).toBeLessThan(whole.length / 4);
  const [is, was] = [new mupdf.Font('is', bytes), new mupdf.Font('was', whole)];
  for (const glyph of used) {
    expect(inkOf(was, glyph).some((value) => value > 0)).toBe(true);
    expect(inkOf(is, glyph)).toEqual(inkOf(was, glyph));
  }
  expect(inkOf(was, program.glyphOf('Q')).some((value) => value > 0)).toBe(true);
  expect(inkOf(is, program.glyphOf('Q')).some((value) => value > 0)).toBe(false);
  expect(is.encodeCharacter(0x41)).toBe(program.glyphOf('A'));
});

test('of PostScript outlines those that are used are left, under their numbers, and no others', () => {
  const font = houseOpenTypeFont(house);
  const whole = openSfnt(sourceOf(font)).table('CFF ') ?? new Uint8Array();
  const program = openFontProgram(written(font));
  const used = ['A', 'Ä', 'b', 'ß'].map((char) => program.glyphOf(char));
  const { bytes, prefix } = program.embedded(used);
  expect(prefix).toMatch(/^[A-Z]{6}\+$/);
  expect(deflateSync(bytes).length).toBeLessThan(deflateSync(whole).length / 2);
  const [is, was] = [new mupdf.Font('is', bytes), new mupdf.Font('was', whole)];
  for (let glyph = 0; glyph < program.glyphCount; glyph += 1) {
    const isUsed = glyph === 0 || used.includes(glyph);
    expect([glyph, inkOf(is, glyph)]).toEqual([glyph, isUsed ? inkOf(was, glyph) : inkOf(is, program.glyphOf(' '))]);
  }
  for (const glyph of used) expect(inkOf(is, glyph).some((value) => value > 0)).toBe(true);
  const { nameOf } = readCff(bytes);
  expect(used.map(nameOf)).toEqual(['A', 'Adieresis', 'b', 'germandbls']);
});

test('a letter that is composed of a letter and an accent keeps both', () => {
  const whole = Buffer.from(openSfnt(sourceOf(houseOpenTypeFont(house))).table('CFF ') ?? []);
  const { nameOf, glyphCount } = readCff(whole);
  const numberOf = (name: string): number =>
    Array.from({ length: glyphCount }, (_, glyph) => nameOf(glyph)).indexOf(name);
  // No width; the accent at 0 0; 65 is A, and 200 the dieresis; the end.
  const composed = Buffer.from([139, 139, 204, 247, 92, 14]);
  const { from, to } = readCffParts(whole).charStrings.item(numberOf('Adieresis'));
  expect(to - from).toBeGreaterThan(composed.length);
  composed.copy(whole, from);
  const subset = subsetCff(whole, [numberOf('Adieresis')]);
  const [is, was] = [new mupdf.Font('is', subset), new mupdf.Font('was', whole)];
  const inks = ['Adieresis', 'A', 'dieresis', 'B'].map((name) => inkOf(is, numberOf(name)));
  expect(inks.slice(0, 3)).toEqual(['Adieresis', 'A', 'dieresis'].map((name) => inkOf(was, numberOf(name))));
  expect(inks.map((ink) => ink.some((value) => value > 0))).toEqual([true, true, true, false]);
  expect(inks[0]).not.toEqual(inks[1]);
});

test.each([
  ['TrueType', houseFont, (whole: Uint8Array) => whole],
  ['OpenType', houseOpenTypeFont, (whole: Uint8Array) => openSfnt(sourceOf(whole)).table('CFF ')],
] as const)('a %s font that forbids subsets is embedded with all its outlines', (_, made, outlines) => {
  const whole = made({ ...house, fsType: 0x100 });
  const { bytes, prefix } = openFontProgram(written(whole)).embedded([36]);
  expect([Buffer.from(bytes), prefix]).toEqual([Buffer.from(outlines(whole) ?? []), '']);
});

test.each([
  ['empty', new Uint8Array(), 'short'],
  ['a PDF', Buffer.from('%PDF-1.4 and more than twelve bytes'), 'kind'],
  ['a collection', Buffer.concat([Buffer.from('ttcf'), Buffer.alloc(40)]), 'collection'],
  ['a web font', Buffer.concat([Buffer.from('wOF2'), Buffer.alloc(40)]), 'kind'],
  ['cut off', houseFont(house).subarray(0, 5000), 'tables'],
])('%s is refused with its reason', (_, bytes, why) =>
  expect(() => fontFactsOf(bytes)).toThrow(expect.objectContaining({ code: 'FONT_UNREADABLE', params: { why } })),
);

test('damage anywhere ends in facts or in a refusal, never in another error', () => {
  const fonts = [houseFont(house), houseOpenTypeFont(house)];
  fc.assert(
    fc.property(
      fc.constantFrom(...fonts),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 40 }),
      (font, harm) => {
        const bytes = Uint8Array.from(font);
        // Half of the harm goes to the directory and the first tables.
        for (const [at, value] of harm) bytes[at % 2 ? at % 400 : at % bytes.length] = value;
        try {
          const program = openFontProgram(written(bytes));
          program.embedded([program.glyphOf('A'), program.glyphOf('é')]);
        } catch (error) {
          expect(error).toMatchObject({ code: 'FONT_UNREADABLE' });
        }
      },
    ),
    { numRuns: 150 },
  );
}, 60_000);
