import { choiceField, flagField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

/** Rotates pages, or applies /Rotate to the content so that the key can be removed. */
export const rotatePages = defineFix({
  key: 'RotatePages',
  version: 1,
  group: 'pages',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 21,
  checks: ['PageOrientation'],
  mayChange: ['boxes'],
  mayLookDifferent: 'everywhere',
  isRelative: ({ turn }) => ['Clockwise', 'Counterclockwise', 'UpsideDown'].includes(turn),
  settings: z.strictObject({
    turn: choiceField('None', ['None', 'Clockwise', 'Counterclockwise', 'UpsideDown', 'ToPortrait', 'ToLandscape']),
    /** Rotates the content and removes /Rotate. */
    bake: flagField(true),
    /** Scales the content and sets UserUnit to 1. */
    removeUserUnit: flagField(true),
  }),
});
