import type { Prisma } from './generated/client.ts';

/** A value of a JSON column, with the type that our own code wrote it with: Prisma knows no type of such a column. */
export const storedAs = <T>(value: Prisma.JsonValue): T => value as T;

/** A value to write into a JSON column. Prisma's own type takes no interfaces, because they have no index signature. */
export const toJson = (value: object): Prisma.InputJsonObject => value as Prisma.InputJsonObject;
