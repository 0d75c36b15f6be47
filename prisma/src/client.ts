/* Exported as `@pdf2press/prisma`. */
export { type ConnectionParts, connectionParts } from './connection.ts';
export {
  createDatabase,
  type Database,
  type DatabaseOptions,
  type SubscriberContext,
  type Transaction,
  type TransactionOptions,
} from './database.ts';
export type * from './generated/client.ts';
export { Prisma } from './generated/client.ts';
export { TenantWallError } from './guard.ts';
export { type IdNoun, idPrefix, newId, newPublicId, nounOf } from './ids.ts';
export { storedAs, toJson } from './json.ts';
