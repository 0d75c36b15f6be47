import { z } from 'zod';
import { choiceField, flagField, lengthField, mm } from '../../checks/fields.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

/** Takes away what lies outside the bleed: old marks, colour bars, notes. */
export const removeOutside = defineFix({
  key: 'RemoveOutside',
  version: 1,
  group: 'objects',
  messages,
  order: 25,
  checks: ['HiddenObjects'],
  mayChange: ['boxes', 'inks', 'images', 'fonts', 'text', 'overprint', 'overprintColours'],
  mayLookDifferent: 'nowhere',
  settings: z.strictObject({
    box: choiceField('Bleed', ['Bleed', 'Trim', 'Crop', 'Media']),
    margin: lengthField(0, { max: mm(100) }),
    /** Objects that cross the edge are cut there by a clip; off: they stay whole. */
    clipCrossing: flagField(true),
    cropMedia: flagField(false),
  }),
});
