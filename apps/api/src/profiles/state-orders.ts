import { Prisma } from '@pdf2press/prisma';
import type { Order } from '../frame/sorted-page.ts';

/** What needs somebody stands first. */
const states = ['failing', 'connection', 'folders', 'workflow', 'waiting', 'works', 'off'];

/** How a connection does in one word, as its list shows it. */
const state = Prisma.sql`
  coalesce(state.paused,
           case when state."failingSince" is not null and state."errorCode" is not null then 'failing'
                when state."lastOkAt" is null then 'waiting' else 'works' end)`;

/** The orders of connections that are looked into again and again. `join` brings their states, as `state`. */
export const stateOrders = (join: Prisma.Sql): Readonly<Record<'state' | 'lastLooked', Order>> => ({
  state: { join, by: Prisma.sql`array_position(${states}::text[], ${state})` },
  lastLooked: { join, by: Prisma.sql`state."lastOkAt"` },
});
