import { choiceField, flagField, namesField, percentField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

/** Embeds fonts of the house, and free fonts of the same metrics in place of standard fonts that the file only names. */
export const embedFonts = defineFix({
  key: 'EmbedFonts',
  version: 1,
  group: 'text',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 65,
  embedsFonts: true,
  checks: ['Fonts', 'PdfX'],
  mayChange: ['fonts'],
  // Readers draw a font that is not embedded with one of their own, so the letters may look different.
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    names: namesField(['*']),
    /** Free fonts in place of standard fonts that the house does not have. */
    standIns: flagField(true),
    /** How far a width of the file may be from that of the embedded font, in percent of the font size. */
    widthTolerance: percentField(0.2, { max: 5 }),
    /** What to do about letters whose widths are further apart. */
    otherWidths: choiceField('Leave', ['Leave', 'KeepPlaces']),
    /** What to do about a font that nothing can be embedded for. */
    otherFonts: choiceField('Warn', ['Warn', 'Fail']),
  }),
});
