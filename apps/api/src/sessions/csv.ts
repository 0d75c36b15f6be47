import type { SessionExportColumn, SessionListItem } from '@pdf2press/contract';

/** Characters with which a spreadsheet begins a formula, full-width ones included, also behind spaces and quotes. */
const formula = /^[\s"']*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** One cell by RFC 4180. Text that could be a formula is prefixed with an apostrophe; numbers stay numbers. */
export function cell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) || safe !== value ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const columns: Record<SessionExportColumn, (item: SessionListItem) => string | number | null> = {
  id: (item) => item.id,
  fileName: (item) => item.fileName,
  status: (item) => item.status,
  result: (item) => item.resultLevel,
  errors: (item) => item.findings?.Fail ?? null,
  warnings: (item) => item.findings?.Warn ?? null,
  createdAt: (item) => item.createdAt,
  finishedAt: (item) => item.finishedAt,
  workflow: (item) => item.workflow.name,
  workflowVersion: (item) => item.workflow.version,
  organization: (item) => item.organization?.name ?? null,
  sourceType: (item) => item.sourceType,
  source: (item) => item.source,
  externalId: (item) => item.externalId,
  pageCount: (item) => item.pageCount,
  sizeBytes: (item) => item.sizeBytes,
  archiveState: (item) => item.archiveState,
  run: (item) => item.runNumber,
};

type Columns = readonly SessionExportColumn[];

/** The byte order mark makes spreadsheets read the file as UTF-8. */
export const csvHead = (names: Columns): string => `\ufeff${names.join(',')}\r\n`;
export const csvLine = (names: Columns, item: SessionListItem): string =>
  `${names.map((name) => cell(columns[name](item))).join(',')}\r\n`;
