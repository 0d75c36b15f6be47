import { z } from 'zod';
import { choiceField, flagField } from '../../checks/fields.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

/** Turns pages, or writes the turn of /Rotate into the content so that no key is needed. */
export const rotatePages = defineFix({
  key: 'RotatePages',
  version: 1,
  group: 'pages',
  messages,
  order: 21,
  checks: ['PageOrientation'],
  mayChange: ['boxes'],
  mayLookDifferent: 'everywhere',
  isRelative: ({ turn }) => ['Clockwise', 'Counterclockwise', 'UpsideDown'].includes(turn),
  settings: z.strictObject({
    turn: choiceField('None', ['None', 'Clockwise', 'Counterclockwise', 'UpsideDown', 'ToPortrait', 'ToLandscape']),
    /** No /Rotate key remains; the content is turned instead. */
    bake: flagField(true),
    /** UserUnit becomes 1; the content is scaled instead. */
    removeUserUnit: flagField(true),
  }),
});
