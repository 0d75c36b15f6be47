import { choiceField, flagField, namesField, onlyWhen, pointsOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

const ofText = { targets: ['Fonts', 'FontsAndVectors'] };

/** Converts text to shapes and strokes to fills. Each glyph is drawn once as a form and reused, so files stay small. */
export const fontsOutline = defineFix({
  key: 'FontsOutline',
  version: 1,
  group: 'text',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
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
    /** Fill rule for overlapping glyph contours; fonts are designed for NonZero. */
    fillRule: onlyWhen(ofText, choiceField('NonZero', ['NonZero', 'EvenOdd'])),
    warnBelowSize: onlyWhen(ofText, pointsOrOff(6, { max: 72 })),
  }),
});
