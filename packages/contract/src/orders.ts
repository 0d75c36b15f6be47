import { z } from 'zod';
import { externalIdName, externalIdSchema } from './external-ids.ts';
import type { WayIn } from './session-sources.ts';
import type { VariableValues } from './workflows.ts';

/** Shop systems whose orders are a way in of their own. */
export const shops = ['Pressero'] as const;
export type Shop = (typeof shops)[number];
export const shopSchema = z.enum(shops);

export const wayOfShop: Readonly<Record<Shop, WayIn>> = { Pressero: 'pressero' };

/** What a shop knows of the order that a file belongs to; each is a value of the session under `order.<name>`. */
export const orderSchema = z.strictObject({
  id: externalIdSchema.optional().describe('The order number; the externalId, too, where none is given'),
  quantity: z.number().int().min(1).max(1_000_000_000).optional().describe('The quantity ordered'),
  dueDate: z.iso.date().optional().describe('The day the order is due, as 2026-11-27'),
  product: z.string().trim().min(1).max(200).optional().describe('The product ordered'),
});
export type Order = z.infer<typeof orderSchema>;

/** An order as values of a session; by its number the shop finds the session again, unless another one is given. */
export function orderValues(order: Order): VariableValues {
  const values = Object.entries(order).flatMap(([name, value]) =>
    value === undefined ? [] : [[`order.${name}`, value] as const],
  );
  return { ...Object.fromEntries(values), ...(order.id !== undefined && { [externalIdName]: order.id }) };
}
