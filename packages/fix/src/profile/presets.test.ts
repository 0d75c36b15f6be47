import { locales } from '@pdf2press/contract';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { messages } from '../log/messages.ts';
import { fixed } from '../testing/fix-files.ts';
import { inversions } from './order.ts';
import { fixPresetOf, fixPresets, fixPresetWords } from './presets.ts';
import { readFixProfile } from './profile.ts';

test.each(fixPresets.map(({ key }) => key))(
  '%s is named in every language, is valid and runs in a safe order',
  (key) => {
    for (const locale of locales) {
      const { name, text } = fixPresetWords(key, locale);
      expect(messages[locale]).toMatchObject({ [`presets.${key}`]: name, [`presets.${key}.text`]: text });
    }
    const profile = fixPresetOf(key)?.profile;
    expect(readFixProfile(profile)).toEqual(profile);
    expect(inversions({ actions: profile?.actions ?? [], order: 'AsListed' })).toEqual([]);
  },
);

test('an unknown key has no preset', () => {
  expect(fixPresetOf('toString')).toBeUndefined();
});

/** A page that shows text in a font that is not embedded. */
const shows = (font: string, content = 'BT /F 12 Tf 20 100 Td (Ready) Tj ET') =>
  buildPdf({
    objects: { 50: `<</Type/Font/Subtype/Type1/BaseFont/${font}>>` },
    pages: [{ content, mediaBox: [0, 0, 400, 200], resources: '/Font<</F 50 0 R>>' }],
  });

test.each(['pdfx-4', 'pdfx-1a'])('%s embeds fonts, or writes nothing and names the font that lacks', async (key) => {
  const made = async (pdf: Uint8Array) => {
    const { report } = await fixed(pdf, fixPresetOf(key)?.profile.actions ?? []);
    const of = (name: string) => report.actions.find(({ action }) => action === name);
    return { isWritten: report.out !== null, embedded: of('EmbedFonts'), converted: of('ConvertToPdfX') };
  };
  const named = await made(shows('Helvetica'));
  expect([named.embedded?.outcome, named.converted?.outcome]).toEqual(['Applied', 'Applied']);
  const lacks = await made(shows('Nowhere'));
  expect(lacks.isWritten).toBe(false);
  expect(lacks.embedded).toMatchObject({
    outcome: 'Failed',
    reason: { code: expect.stringContaining('noFont'), params: { font: 'Nowhere' } },
  });
  // Invisible text, as of a recognised page, needs no font.
  const invisible = await made(shows('Nowhere', 'BT 3 Tr /F 12 Tf 20 100 Td (Ready) Tj ET'));
  expect([invisible.isWritten, invisible.converted?.outcome]).toEqual([true, 'Applied']);
});
