import { choiceField, flagField, lengthField, lengthOrOff, mm, onlyWhen, placeholderText } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { placementFields } from '../../kind/placement.ts';
import { messages } from './messages.ts';

/** Their names are the same in all languages. */
export const symbologies = [
  'QR',
  'Data Matrix',
  'GS1 DataMatrix',
  'EAN-13',
  'EAN-8',
  'UPC-A',
  'Code 128',
  'GS1-128',
  'Code 39',
  'ITF-14',
] as const;

const linear = { symbology: ['EAN-13', 'EAN-8', 'UPC-A', 'Code 128', 'GS1-128', 'Code 39', 'ITF-14'] };
const freeText = { symbology: ['Code 128', 'GS1-128', 'Code 39', 'ITF-14'], humanReadable: true };
const ink = (initial: number) => z.number().min(0).max(100).default(initial).meta({ unit: 'percent' });

/** Adds a barcode to each page, inside the trim: as shapes in one ink, with its quiet zone. */
export const placeBarcode = defineFix({
  key: 'PlaceBarcode',
  version: 1,
  group: 'pages',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  // Like a text: after the bleed and before the marks.
  order: 106,
  mayChange: [],
  mayAdd: ['inks'],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    symbology: choiceField('QR', symbologies),
    text: placeholderText({ scope: 'page', min: 1 }).default('{{file.name}}'),
    /** Distances are those of the quiet zone. */
    ...placementFields('BottomRight'),
    /** Width of the narrowest bar, or of a square. */
    moduleSize: lengthField(mm(0.33), { min: mm(0.1), max: mm(20) }),
    /** Of the bars; null: as the standard of the symbology recommends. */
    height: onlyWhen(linear, lengthOrOff(null, { min: mm(1), max: mm(500) })),
    errorCorrection: onlyWhen({ symbology: 'QR' }, choiceField('M', ['L', 'M', 'Q', 'H'])),
    bearerBars: onlyWhen({ symbology: 'ITF-14' }, flagField(true)),
    humanReadable: onlyWhen(linear, flagField(true)),
    textSize: onlyWhen(freeText, z.number().min(3).max(100).default(8).meta({ unit: 'points' })),
    colour: choiceField('K', ['K', 'Spot']),
    spotName: onlyWhen({ colour: 'Spot' }, z.string().min(1).max(200).default('Barcode')),
    /** How a spot colour is shown that the file does not have yet. */
    alternate: onlyWhen(
      { colour: 'Spot' },
      z.strictObject({ c: ink(0), m: ink(0), y: ink(0), k: ink(100) }).prefault({}),
    ),
    ground: choiceField('None', ['None', 'White']),
  }),
});
