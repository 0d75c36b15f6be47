import { z } from 'zod';
import { marksSchema } from '../../marks/marks.ts';
import { flag, gridSettings, startCornerSchema } from '../../sheet/settings.ts';
import { type AxisOrder, axisOrders } from '../sequence.ts';

const orders: Readonly<Record<string, string>> = { row: 'DeepRightDown', column: 'DeepDownRight' };

export const cutAndStackSettingsSchema = z.object({
  ...gridSettings,
  /**
   * The axis that pages are counted along first, second and third. `Row` is DeepRightDown, `Column` is DeepDownRight.
   */
  stackOrder: z
    .preprocess(
      (value) => (typeof value === 'string' ? (orders[value.toLowerCase()] ?? value) : value),
      z.enum(Object.keys(axisOrders) as [AxisOrder, ...AxisOrder[]]),
    )
    .default('DeepRightDown'),
  startCorner: startCornerSchema,
  /** Sheets per stack, after which the order starts again; 0: unlimited. */
  stackDepth: z.coerce.number().int().min(0).max(100_000).default(0),
  /** Distribute blanks over the ends of the stacks in place of collecting them in the last stacks. */
  balance: flag(false),
  marks: marksSchema,
});
export type CutAndStackSettings = z.output<typeof cutAndStackSettingsSchema>;
