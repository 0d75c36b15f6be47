import { onlyWhen, word } from '@pdf2press/settings';
import { z } from 'zod';
import { marksSchema } from '../../marks/marks.ts';
import { gridSettings } from '../../sheet/settings.ts';

/** `1x6, 2x2`: kind × number. A kind is a page, or a front and a back on two-sided work. */
const timesListSchema = z
  .string()
  .trim()
  .max(5000)
  .regex(/^(?:\d+\s*[x×*]\s*\d+\s*(?:,\s*\d+\s*[x×*]\s*\d+\s*)*)?$/)
  .default('');

export const stepNRepeatSettingsSchema = z.object({
  ...gridSettings,
  /** Cells per kind on one shared sheet; empty: each kind fills its own sheet. */
  fill: timesListSchema,
  gang: word(['OnePerSheet', 'Gang']).default('OnePerSheet'),
  /** Finished pieces per kind, for ganging and the number of sheets; empty: `copies` of each. */
  quantities: timesListSchema,
  /** Kinds that share a sheet are printed more often than ordered; a larger share of the places than this is told. */
  wastePercent: onlyWhen({ gang: 'Gang' }, z.coerce.number().min(0).max(100).default(5)),
  marks: marksSchema,
});
export type StepNRepeatSettings = z.output<typeof stepNRepeatSettingsSchema>;

export interface Times {
  kind: number;
  times: number;
}

export const readTimes = (text: string): Times[] =>
  text === ''
    ? []
    : text.split(',').map((part) => {
        const [kind, times] = part.split(/[x×*]/).map(Number);
        return { kind: kind ?? 0, times: times ?? 0 };
      });
