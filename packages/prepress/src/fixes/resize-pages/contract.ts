import { z } from 'zod';
import { choiceField, flagField, lengthField, mm, percentField, pointsOrOff } from '../../checks/fields.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

export const anchors = [
  'TopLeft',
  'Top',
  'TopRight',
  'Left',
  'Centre',
  'Right',
  'BottomLeft',
  'Bottom',
  'BottomRight',
] as const;

/** Scales pages so that a box gets a size. Everything on the page moves with it: boxes, annotations, destinations. */
export const resizePages = defineFix({
  key: 'ResizePages',
  version: 1,
  group: 'pages',
  messages,
  order: 30,
  checks: ['PageDimentions'],
  mayChange: ['boxes'],
  mayLookDifferent: 'everywhere',
  isRelative: ({ target }) => target === 'Percent',
  settings: z.strictObject({
    box: choiceField('Trim', ['Trim', 'Media', 'Crop', 'Bleed', 'Art']),
    target: choiceField('Size', ['Size', 'Percent']),
    width: lengthField(mm(210), { min: 1, max: mm(20_000) }),
    height: lengthField(mm(297), { min: 1, max: mm(20_000) }),
    percent: z.number().min(1).max(10_000).default(100).meta({ unit: 'percent' }),
    scaling: choiceField('Proportionally', ['Proportionally', 'Stretching']),
    fit: choiceField('Inside', ['Inside', 'Outside', 'Width', 'Height', 'StretchToFit']),
    anchor: choiceField('Centre', anchors),
    maxStretchDistortion: percentField(2, { max: 10 }),
    maxScaleUp: percentField(10, { max: 10_000 }),
    onlyIfDifferent: lengthField(mm(0.5), { max: mm(50) }),
    orientation: choiceField('Keep', ['Keep', 'MatchTarget']),
    scaleBoxes: choiceField('All', ['All', 'RecomputeBleed']),
    bleed: lengthField(mm(3), { max: mm(100) }),
    /** Told when scaling takes text or lines below these. */
    lineAndTextFloor: flagField(true),
    minTextSize: pointsOrOff(5, { max: 72 }),
    minLineWidth: pointsOrOff(0.25, { max: 10 }),
    /** The page box of `Inside` grows to the target, leaving a margin; off: the box is the scaled content's. */
    fillTarget: flagField(true),
  }),
});
