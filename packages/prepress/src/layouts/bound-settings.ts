import { z } from 'zod';
import { marksSchema } from '../marks/marks.ts';
import { creepSchema, length, sheetSettings } from './settings.ts';
import { word } from './word.ts';

/** `Bleed`: as much as the bleed, which is then cut off. */
const trimOff = z.union([z.literal('Bleed'), length('3mm', { max: 300 })]).default('Bleed');

/** What bound layouts ask on top of the sheet (spec/impose §4.4, §5). */
export const boundSettings = {
  ...sheetSettings,
  /** Pages per folded sheet: 4, 8, 16 or 32. Any number is read, so that a wrong one is named as such. */
  signatureSize: z.coerce.number().int().min(1).max(1024).default(4),
  bindingEdge: word(['Left', 'Right', 'Top'], { rtl: 'Right', ltr: 'Left' }).default('Left'),
  /** Cut off at the head, foot and face of each page. */
  trim: z.object({ head: trimOff, foot: trimOff, face: trimOff }).prefault({}),
  creep: creepSchema,
  workStyle: word(['Sheetwise', 'Perfecting']).default('Sheetwise'),
  marks: marksSchema,
};
export const boundSettingsSchema = z.object(boundSettings);
export type BoundSettings = z.output<typeof boundSettingsSchema>;
