import type { ExportedAuditEntry } from '@pdf2press/contract';
import { cell } from '../sessions/csv.ts';

const columns: Record<string, (entry: ExportedAuditEntry) => string | number | null> = {
  no: ({ no }) => no,
  at: ({ at }) => at,
  person: ({ actor }) => actor.name,
  personKind: ({ actor }) => actor.kind,
  personId: ({ actor }) => actor.id,
  act: ({ act }) => act,
  objectKind: ({ object }) => object.kind,
  objectId: ({ object }) => object.id,
  object: ({ object }) => object.name,
  ip: ({ ip }) => ip,
  before: ({ before }) => before && JSON.stringify(before),
  after: ({ after }) => after && JSON.stringify(after),
  hash: ({ hash }) => hash,
};

/** The byte order mark makes spreadsheets read the file as UTF-8. */
export const auditCsvHead = `\ufeff${Object.keys(columns).join(',')}\r\n`;
export const auditCsvLine = (entry: ExportedAuditEntry): string =>
  `${Object.values(columns)
    .map((value) => cell(value(entry)))
    .join(',')}\r\n`;
