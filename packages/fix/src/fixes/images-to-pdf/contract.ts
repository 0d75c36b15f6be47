import { choiceField, lengthField, mm, onlyWhen } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

/** Converts a JPEG, PNG or TIFF to a PDF. Runs first, because all other actions need a PDF. */
export const imagesToPdf = defineFix({
  key: 'ImagesToPdf',
  version: 1,
  group: 'document',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 1,
  reads: 'picture',
  mayChange: [],
  mayLookDifferent: 'nowhere',
  settings: z.strictObject({
    /** Image: page size from the picture's dimensions and resolution. */
    pageSize: choiceField('Image', ['Image', 'Size']),
    width: onlyWhen({ pageSize: 'Size' }, lengthField(mm(210), { min: 1, max: mm(5000) })),
    height: onlyWhen({ pageSize: 'Size' }, lengthField(mm(297), { min: 1, max: mm(5000) })),
    fit: onlyWhen({ pageSize: 'Size' }, choiceField('Inside', ['Inside', 'Outside'])),
    orientation: onlyWhen({ pageSize: 'Size' }, choiceField('MatchImage', ['MatchImage', 'Keep'])),
    /** For pictures without a resolution. */
    ppi: z.number().min(10).max(9600).default(300).meta({ unit: 'ppi' }),
    /** How far the picture extends beyond the trim. */
    bleed: lengthField(0, { max: mm(100) }),
  }),
});
