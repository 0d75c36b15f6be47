import { choiceField, flagField, namesField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

/** Removes layers: visible content stays, hidden content is deleted. */
export const flattenLayers = defineFix({
  key: 'FlattenLayers',
  version: 1,
  group: 'document',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 23,
  checks: ['Layers'],
  mayChange: ['layers', 'inks', 'images', 'fonts', 'text', 'overprint', 'overprintColours'],
  // Content that prints differently from what a screen shows is declared.
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    state: choiceField('Print', ['Print', 'View']),
    /** Names of layers that stay; `keepProcessingSteps` keeps those of ISO 19593-1. */
    keep: namesField(),
    keepProcessingSteps: flagField(true),
    removeHidden: flagField(true),
  }),
});
