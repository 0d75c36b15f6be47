import { problem } from '@pdf2press/contract';
import { Prisma } from '@pdf2press/prisma';
import { notFound } from './errors.ts';

/** The row, or the same "does not exist" for unknown and foreign ids. @throws ProblemError `resource.notFound` */
export function found<T>(row: T | null | undefined): T {
  if (row === null || row === undefined) throw notFound();
  return row;
}

/** Whether the database refused a second row of the same name. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';

/** Runs a write; a name that is in use is told as such. @throws ProblemError `resource.nameTaken` */
export async function uniquely<T>(name: string, field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isTaken(error)) throw problem('resource.nameTaken', { name }, field);
    throw error;
  }
}

/** Rows to skip and take for a page counted from 1. */
export const pageWindow = ({ page, pageSize }: { page: number; pageSize: number }): { skip: number; take: number } => ({
  skip: (page - 1) * pageSize,
  take: pageSize,
});
