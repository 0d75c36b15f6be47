import {
  anchors,
  choiceField,
  flagField,
  lengthField,
  mm,
  onlyWhen,
  percentField,
  pointsOrOff,
} from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

/** Fitting modes in which the scaled page may be smaller or larger than the target. */
const inProportion = {
  target: 'Size',
  scaling: 'Proportionally',
  fit: ['Inside', 'Outside', 'Width', 'Height'],
};

/**
 * Scales pages so that a page box gets a given size. Boxes, annotations and destinations are scaled with the content.
 */
export const resizePages = defineFix({
  key: 'ResizePages',
  version: 1,
  group: 'pages',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 30,
  checks: ['PageDimentions'],
  mayChange: ['boxes'],
  mayLookDifferent: 'everywhere',
  isRelative: ({ target }) => target === 'Percent',
  settings: z.strictObject({
    box: choiceField('Trim', ['Trim', 'Media', 'Crop', 'Bleed', 'Art']),
    target: choiceField('Size', ['Size', 'Percent']),
    width: onlyWhen({ target: 'Size' }, lengthField(mm(210), { min: 1, max: mm(20_000) })),
    height: onlyWhen({ target: 'Size' }, lengthField(mm(297), { min: 1, max: mm(20_000) })),
    percent: onlyWhen({ target: 'Percent' }, z.number().min(1).max(10_000).default(100).meta({ unit: 'percent' })),
    scaling: onlyWhen({ target: 'Size' }, choiceField('Proportionally', ['Proportionally', 'Stretching'])),
    fit: onlyWhen(
      { target: 'Size', scaling: 'Proportionally' },
      choiceField('Inside', ['Inside', 'Outside', 'Width', 'Height', 'StretchToFit']),
    ),
    anchor: onlyWhen(inProportion, choiceField('Centre', anchors)),
    maxStretchDistortion: onlyWhen(
      [
        { target: 'Size', scaling: 'Stretching' },
        { target: 'Size', fit: 'StretchToFit' },
      ],
      percentField(2, { max: 10 }),
    ),
    maxScaleUp: onlyWhen({ target: 'Size' }, percentField(10, { max: 10_000 })),
    onlyIfDifferent: lengthField(mm(0.5), { max: mm(50) }),
    orientation: onlyWhen({ target: 'Size' }, choiceField('Keep', ['Keep', 'MatchTarget'])),
    scaleBoxes: choiceField('All', ['All', 'RecomputeBleed']),
    bleed: onlyWhen({ box: 'Trim', scaleBoxes: 'RecomputeBleed' }, lengthField(mm(3), { max: mm(100) })),
    /** Warns when scaling makes text or lines smaller than these. */
    lineAndTextFloor: flagField(true),
    minTextSize: onlyWhen({ lineAndTextFloor: true }, pointsOrOff(5, { max: 72 })),
    minLineWidth: onlyWhen({ lineAndTextFloor: true }, pointsOrOff(0.25, { max: 10 })),
    /**
     * With `Inside`, the page box is enlarged to the target, with a margin; off: the box has the size of the scaled
     * content.
     */
    fillTarget: onlyWhen({ ...inProportion, fit: ['Inside', 'Width', 'Height'] }, flagField(true)),
  }),
});
