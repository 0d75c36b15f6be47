import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { attachment } from '../sessions/download.ts';

type Cell = string | number | boolean | null;
/** The columns of a list, in their order: what each says of an item. */
export type Columns<T> = Readonly<Record<string, (item: T) => Cell>>;

/** Rows that are read and written at once. */
const exportBatch = 1000;

/** Characters with which a spreadsheet begins a formula, full-width ones included, also behind spaces and quotes. */
const formula = /^[\s"']*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** One cell by RFC 4180. Text that could be a formula is prefixed with an apostrophe; numbers stay numbers. */
export function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) || safe !== value ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The byte order mark makes spreadsheets read the file as UTF-8. */
export const csvHead = <T>(columns: Columns<T>): string => `\ufeff${Object.keys(columns).join(',')}\r\n`;
export const csvLine = <T>(columns: Columns<T>, item: T): string =>
  `${Object.values(columns)
    .map((value) => cell(value(item)))
    .join(',')}\r\n`;

/** Says that the answer is a CSV file of this name and today's date. */
export const csvHeaders = (reply: FastifyReply, name: string): FastifyReply =>
  reply.headers({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': attachment(`${name}-${new Date().toISOString().slice(0, 10)}.csv`),
    'Cache-Control': 'no-store',
  });

interface ListExport<T> {
  /** Of the file, without its date. */
  name: string;
  columns: Columns<T>;
  /** A page of the list in its order, as the caller sees it. */
  read: (page: { page: number; pageSize: number }) => Promise<readonly T[]>;
}

/**
 * Answers with all pages of a list as CSV; no more than one page is in memory.
 * @throws what reading the first page throws, which is then told as a refusal
 */
export async function sendList<T>(reply: FastifyReply, { name, columns, read }: ListExport<T>): Promise<Readable> {
  const pageOf = (page: number) => read({ page, pageSize: exportBatch });
  const first = await pageOf(1);
  async function* lines() {
    yield csvHead(columns);
    for (let [page, items] = [1, first]; ; items = await pageOf(page)) {
      yield items.map((item) => csvLine(columns, item)).join('');
      if (items.length < exportBatch) return;
      page += 1;
    }
  }
  csvHeaders(reply, name);
  return Readable.from(lines());
}
