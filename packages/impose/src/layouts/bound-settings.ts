import { onlyWhen, word } from '@pdf2press/settings';
import { z } from 'zod';
import { marksSchema } from '../marks/marks.ts';
import { bottlingSchema, creepSchema, flag, length, sheetSettings, workStyles } from '../sheet/settings.ts';
import { foldings } from './folding.ts';

/** An amount of paper that is trimmed off; `Bleed`: as much as the bleed. */
const trimOff = z.union([z.literal('Bleed'), length('3mm', { max: 300 })]).default('Bleed');

/** Settings of the bound layouts. */
export const boundSettings = {
  ...sheetSettings,
  /** Pages per folded sheet: 4, 8, 12, 16, 24 or 32. Other numbers pass the schema so that planning can name the reason. */
  signatureSize: z.coerce.number().int().min(1).max(1024).default(4),
  /** How the sheet is folded; not every number of pages can be folded in every way. */
  folding: word(foldings).default('Standard'),
  bindingEdge: word(['Left', 'Right', 'Top'], { rtl: 'Right', ltr: 'Left' }).default('Left'),
  /** Trimmed off at head, foot and face (fore-edge) of each page. */
  trim: z.object({ head: trimOff, foot: trimOff, face: trimOff }).prefault({}),
  creep: creepSchema,
  bottling: bottlingSchema,
  /** With one plate for both sides (WorkAndTurn, WorkAndTumble) a sheet is cut into two equal halves before folding. */
  workStyle: word(workStyles).default('Sheetwise'),
  /** Two copies foot to foot, folded and bound as one and then cut apart. */
  comeAndGo: onlyWhen({ workStyle: ['Sheetwise', 'Perfecting'] }, flag(false)),
  marks: marksSchema,
};
export const boundSettingsSchema = z.object(boundSettings);
export type BoundSettings = z.output<typeof boundSettingsSchema>;
