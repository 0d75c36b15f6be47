import { choiceField, flagField, namesField, onlyWhen, percentField, pointsOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

/** Sets overprint for black text and lines and for technical inks; white knocks out. */
export const overprint = defineFix({
  key: 'Overprint',
  version: 1,
  group: 'colour',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 60,
  checks: ['OverPrint'],
  mayChange: ['overprint', 'overprintColours', 'inks'],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    targets: choiceField('FillsAndVectors', ['Fills', 'Vectors', 'FillsAndVectors']),
    blackText: flagField(true),
    textMaxSize: onlyWhen({ blackText: true }, pointsOrOff(12, { max: 1000 })),
    blackLines: flagField(true),
    lineMaxWidth: onlyWhen({ blackLines: true }, pointsOrOff(2, { max: 1000 })),
    blackThreshold: percentField(100, { min: 1, max: 100 }),
    whiteKnockout: flagField(true),
    colourKnockout: flagField(false),
    grayToBlack: choiceField('DeviceCMYK', ['DeviceCMYK', 'SeparationBlack', 'Off']),
    overprintMode: flagField(true),
    exclude: namesField(),
    technicalInks: namesField(['CutContour', 'Thru-cut', 'Crease', 'Varnish', 'White', 'Cut', 'Fold', 'Die*']),
    technicalOverprint: flagField(true),
  }),
});
