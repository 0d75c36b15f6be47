import { z } from 'zod';
import { choiceField, flagField, namesField } from '../../checks/fields.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

/** What layers show is kept, what they hide goes, and the layers themselves with it. */
export const flattenLayers = defineFix({
  key: 'FlattenLayers',
  version: 1,
  group: 'document',
  messages,
  order: 23,
  checks: ['Layers'],
  mayChange: ['layers', 'inks', 'images', 'fonts', 'text', 'overprint', 'overprintColours'],
  // What prints otherwise than a screen shows it; everything else looks as it did.
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    state: choiceField('Print', ['Print', 'View']),
    /** Layers that stay layers, processing steps above all. */
    keep: namesField(),
    keepProcessingSteps: flagField(true),
    removeHidden: flagField(true),
  }),
});
