import { choiceField, flagField, lengthField, mm, namesField, onlyWhen, percentField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

const ink = (initial: number) => z.number().min(0).max(100).default(initial).meta({ unit: 'percent' });
const ofTrim = { from: 'Trim' };
const ofInk = { from: 'Ink' };

/** Adds a line to cut along, in a spot colour on a layer of its own: the trim, or the outline of what is printed. */
export const addCutContour = defineFix({
  key: 'AddCutContour',
  version: 1,
  group: 'pages',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  // After what is added to the page's design, and before the marks.
  order: 107,
  checks: ['ProcessingSteps'],
  mayChange: [],
  mayAdd: ['inks', 'overprint', 'overprintColours', 'layers'],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    from: choiceField('Trim', ['Trim', 'Ink']),
    cornerRadius: onlyWhen(ofTrim, lengthField(0, { max: mm(500) })),
    /** From the outline of the ink outwards; below 0 inwards. */
    distance: onlyWhen(ofInk, lengthField(mm(2), { min: mm(-50), max: mm(100) })),
    /** Holes of the shapes are cut out, too. */
    holes: onlyWhen(ofInk, flagField(false)),
    /** What is smaller in both directions gets no contour of its own. */
    smallest: onlyWhen(ofInk, lengthField(mm(2), { max: mm(500) })),
    /** The line may be this far from the true one where that saves nodes. */
    tolerance: onlyWhen(ofInk, lengthField(mm(0.1), { min: mm(0.02), max: mm(5) })),
    /** Ink from which a place counts as printed. */
    leastInk: onlyWhen(ofInk, percentField(2, { min: 1, max: 100 })),
    /** Spot colours that print nothing. */
    ignoredInks: onlyWhen(
      ofInk,
      namesField(['Crease', 'Creas*', 'Fold', 'Perf*', 'Dimension*', 'Cut*', '*-cut', 'Die*']),
    ),
    spotName: z.string().min(1).max(200).default('CutContour'),
    /** How the spot colour is shown if the file does not have it yet. */
    alternate: z.strictObject({ c: ink(0), m: ink(100), y: ink(0), k: ink(0) }).prefault({}),
    weight: z.number().min(0.05).max(10).default(0.25).meta({ unit: 'points' }),
    /** An own layer that declares the processing step Structural/Cutting (ISO 19593-1). */
    layer: flagField(true),
  }),
});
