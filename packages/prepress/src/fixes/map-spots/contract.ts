import { z } from 'zod';
import { flagField, onlyWhen, percentField } from '../../checks/fields.ts';
import { defineFix } from '../define-fix.ts';
import { messages } from './messages.ts';

const ink = z.number().min(0).max(100).meta({ unit: 'percent' });

export const spotRuleSchema = z.strictObject({
  /** Name with `*`, compared without case. */
  from: z.string().min(1).max(200),
  action: z.enum(['Rename', 'ToProcess', 'ToAlternate']).default('Rename'),
  to: onlyWhen({ action: 'Rename' }, z.string().max(200).default('')),
  /** For ToProcess: C M Y K, 0–100; null takes the file's alternate. */
  cmyk: onlyWhen({ action: 'ToProcess' }, z.tuple([ink, ink, ink, ink]).nullable().default(null)),
});

/** Renames spot colours, merges those that differ by spelling only, or maps them to process inks. All rules at once. */
export const mapSpots = defineFix({
  key: 'MapSpots',
  version: 1,
  group: 'colour',
  messages,
  order: 41,
  checks: ['SpotColors'],
  mayChange: ['inks', 'overprint', 'overprintColours', 'images'],
  mayLookDifferent: 'whereLogged',
  settings: z.strictObject({
    rules: z.array(spotRuleSchema).max(200).default([]),
    mergeSpellings: flagField(true),
    mergeSuffixes: onlyWhen({ mergeSpellings: true }, flagField(false)),
    /** Recipes of one ink that differ by more become that of its first use; as much is another way to write the same. */
    tolerance: onlyWhen({ mergeSpellings: true }, percentField(1, { max: 100 })),
  }),
});
