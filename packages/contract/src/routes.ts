import * as table from './route-table.ts';

/** Every route of the product, by noun: the server implements this table and the client's types are derived from it. */
export const routes: Readonly<typeof table> = { ...table };
