import { z } from 'zod';
import { choiceField, lengthField, mm, onlyWhen } from '../../checks/fields.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

/** A JPEG, PNG or TIFF becomes a PDF, so that everything else can work on it. First of all, for there is no PDF before. */
export const imagesToPdf = defineFix({
  key: 'ImagesToPdf',
  version: 1,
  group: 'document',
  messages,
  order: 1,
  mayChange: [],
  mayLookDifferent: 'nowhere',
  settings: z.strictObject({
    /** Image: as large as the picture says it is. */
    pageSize: choiceField('Image', ['Image', 'Size']),
    width: onlyWhen({ pageSize: 'Size' }, lengthField(mm(210), { min: 1, max: mm(5000) })),
    height: onlyWhen({ pageSize: 'Size' }, lengthField(mm(297), { min: 1, max: mm(5000) })),
    fit: onlyWhen({ pageSize: 'Size' }, choiceField('Inside', ['Inside', 'Outside'])),
    orientation: onlyWhen({ pageSize: 'Size' }, choiceField('MatchImage', ['MatchImage', 'Keep'])),
    /** Of pictures that say no resolution. */
    ppi: z.number().min(10).max(9600).default(300).meta({ unit: 'ppi' }),
    /** How far the picture goes beyond the trim. */
    bleed: lengthField(0, { max: mm(100) }),
  }),
});
