import { choiceField, flagField, lengthField, mm } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

/** Removes content outside the bleed: old marks, colour bars, notes. */
export const removeOutside = defineFix({
  key: 'RemoveOutside',
  version: 1,
  group: 'objects',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 25,
  checks: ['HiddenObjects'],
  mayChange: ['boxes', 'inks', 'images', 'fonts', 'text', 'overprint', 'overprintColours'],
  mayLookDifferent: 'nowhere',
  settings: z.strictObject({
    box: choiceField('Bleed', ['Bleed', 'Trim', 'Crop', 'Media']),
    margin: lengthField(0, { max: mm(100) }),
    /** Objects that cross the edge are clipped there; off: they stay whole. */
    clipCrossing: flagField(true),
    cropMedia: flagField(false),
  }),
});
