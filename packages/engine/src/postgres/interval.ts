import { Prisma } from '@pdf2press/prisma';

/** A number of milliseconds as a Postgres interval. */
export const interval = (ms: number): Prisma.Sql => Prisma.sql`make_interval(secs => ${ms / 1000}::float8)`;
