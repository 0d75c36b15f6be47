import type { ExportedAuditEntry } from '@pdf2press/contract';
import type { Columns } from '../frame/csv.ts';

export const auditColumns: Columns<ExportedAuditEntry> = {
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
