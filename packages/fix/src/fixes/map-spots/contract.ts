import { flagField, onlyWhen, percentField } from '@pdf2press/settings';
import { z } from 'zod';
import { defineFix } from '../../kind/define-fix.ts';
import { messages } from './messages.ts';

const ink = z.number().min(0).max(100).meta({ unit: 'percent' });

export const spotRuleSchema = z.strictObject({
  /** Name, with `*` for any characters, compared without case. */
  from: z.string().min(1).max(200),
  action: z.enum(['Rename', 'ToProcess', 'ToAlternate']).default('Rename'),
  to: onlyWhen({ action: 'Rename' }, z.string().max(200).default('')),
  /** For ToProcess: C M Y K, 0–100; null uses the file's alternate colour. */
  cmyk: onlyWhen({ action: 'ToProcess' }, z.tuple([ink, ink, ink, ink]).nullable().default(null)),
});

/**
 * Renames spot colours, merges spellings of the same ink, or converts spots to process inks. All rules are applied at
 * once.
 */
export const mapSpots = defineFix({
  key: 'MapSpots',
  version: 1,
  group: 'colour',
  messages,
  help: () => import('./help.json', { with: { type: 'json' } }),
  order: 41,
  checks: ['SpotColors'],
  mayChange: ['inks', 'overprint', 'overprintColours', 'images'],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    rules: z.array(spotRuleSchema).max(200).default([]),
    mergeSpellings: flagField(true),
    mergeSuffixes: onlyWhen({ mergeSpellings: true }, flagField(false)),
    /** Definitions of one ink that differ by more are replaced by the first one; smaller differences are kept. */
    tolerance: onlyWhen({ mergeSpellings: true }, percentField(1, { max: 100 })),
  }),
});
