import { z } from 'zod';
import { marksSchema } from '../../marks/marks.ts';
import { type AxisOrder, axisOrders } from '../sequence.ts';
import { flag, gridSettings, startCornerSchema } from '../settings.ts';

const orders: Readonly<Record<string, string>> = { row: 'DeepRightDown', column: 'DeepDownRight' };

export const cutAndStackSettingsSchema = z.object({
  ...gridSettings,
  /** What the count runs along first, second and third. `Row` and `Column` are short for the two that cut and stack. */
  stackOrder: z
    .preprocess(
      (value) => (typeof value === 'string' ? (orders[value.toLowerCase()] ?? value) : value),
      z.enum(Object.keys(axisOrders) as [AxisOrder, ...AxisOrder[]]),
    )
    .default('DeepRightDown'),
  startCorner: startCornerSchema,
  /** Sheets per stack, then the order starts anew; 0: one stack. */
  stackDepth: z.coerce.number().int().min(0).max(100_000).default(0),
  /** Blanks lie at the end of each short stack instead of in the last stacks. */
  balance: flag(false),
  marks: marksSchema,
});
export type CutAndStackSettings = z.output<typeof cutAndStackSettingsSchema>;
