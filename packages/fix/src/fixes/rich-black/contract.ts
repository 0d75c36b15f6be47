import { areaField, choiceField, flagField, mm, onlyWhen, percentField, pointsOrOff } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

const ink = (initial: number) => percentField(initial, { max: 100 });

const ofSeveralInks = { direction: ['ToK', 'Recipe'] };
const toRich = { direction: ['ToRich', 'Recipe'] };

/** Converts black of several inks to black only in text and lines, or large areas of black to rich black. */
export const richBlack = defineFix({
  key: 'RichBlack',
  version: 1,
  group: 'colour',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 50,
  checks: ['RichBlack'],
  mayChange: ['inks', 'overprint', 'overprintColours'],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    direction: choiceField('ToK', ['ToK', 'ToRich', 'Recipe']),
    objects: onlyWhen({ direction: 'ToK' }, z.array(z.enum(['text', 'vector'])).default(['text', 'vector'])),
    /** 0: all sizes. */
    textMaxSize: onlyWhen({ direction: 'ToK', objects: 'text' }, pointsOrOff(12, { max: 1000 })),
    lineMaxWidth: onlyWhen({ direction: 'ToK', objects: 'vector' }, pointsOrOff(2, { max: 1000 })),
    minK: ink(85),
    minSum: onlyWhen(ofSeveralInks, percentField(100, { max: 400 })),
    rgbMax: onlyWhen(ofSeveralInks, percentField(4, { max: 100 })),
    /** Tolerance for these limits, in percent. */
    tolerance: onlyWhen(ofSeveralInks, percentField(0, { max: 20 })),
    includeRegistration: flagField(true),
    recipe: onlyWhen(toRich, z.strictObject({ c: ink(60), m: ink(40), y: ink(40), k: ink(100) }).prefault({})),
    maxInk: onlyWhen(toRich, percentField(300, { min: 100, max: 400 })),
    minArea: onlyWhen(toRich, areaField(mm(50) * mm(50), { max: 1e9 })),
    /**
     * Objects in transparency print differently when their inks change: they are changed and reported, or left and
     * reported.
     */
    excludeInsideTransparency: choiceField('Warn', ['Warn', 'Exclude']),
    /** Black only overprints what is below, so that misregistration shows no white. */
    keepOverprint: onlyWhen({ direction: 'ToK' }, flagField(false)),
  }),
});
