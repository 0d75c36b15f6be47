import { z } from 'zod';
import { choiceField, flagField, namesField, onlyWhen, pointsOrOff } from '../../checks/fields.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

const ofText = { targets: ['Fonts', 'FontsAndVectors'] };

/** Text becomes shapes, strokes become fills. Each glyph is drawn once and used again, so files stay small. */
export const fontsOutline = defineFix({
  key: 'FontsOutline',
  version: 1,
  group: 'text',
  messages,
  order: 70,
  checks: ['Fonts'],
  mayChange: ['fonts', 'text', 'overprint'],
  mayLookDifferent: 'nowhere',
  redrawsEdges: true,
  settings: z.strictObject({
    targets: choiceField('Fonts', ['Fonts', 'Vectors', 'FontsAndVectors']),
    scope: onlyWhen(ofText, choiceField('All', ['All', 'NotEmbedded', 'Type3', 'Protected', 'Names'])),
    names: onlyWhen({ ...ofText, scope: 'Names' }, namesField()),
    minSize: onlyWhen(ofText, pointsOrOff(null, { max: 1000 })),
    maxSize: onlyWhen(ofText, pointsOrOff(null, { max: 10_000 })),
    keepInvisibleText: onlyWhen(ofText, flagField(true)),
    /** How overlapping contours of a glyph fill; fonts are made for NonZero. */
    fillRule: onlyWhen(ofText, choiceField('NonZero', ['NonZero', 'EvenOdd'])),
    warnBelowSize: onlyWhen(ofText, pointsOrOff(6, { max: 72 })),
  }),
});
