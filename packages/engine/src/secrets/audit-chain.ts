import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AuditExport, ExportedAuditEntry } from '@pdf2press/contract';

/** `contradicts`: the readable fields are not those that were chained. `order`: entries do not follow each other. */
export type AuditExportFault = 'changed' | 'contradicts' | 'order' | 'missing' | 'unlinked';

const hashOf = ({ previousHash, text }: ExportedAuditEntry): string =>
  createHash('sha256').update(Buffer.from(previousHash, 'hex')).update(text, 'utf8').digest('hex');

/** Whether the chained text says what the readable fields say. */
function isTold(subscriberId: string, { text, ...entry }: ExportedAuditEntry): boolean {
  let chained: unknown;
  try {
    chained = JSON.parse(text);
  } catch {
    return false;
  }
  const { no, actor, act, object, before, after, ip, at } = entry;
  if (!Array.isArray(chained)) return false;
  const [of, number, by, name, id, was, is, address, seconds] = chained as unknown[];
  return (
    isDeepStrictEqual(
      [of, number, name, id, was, is, address],
      [subscriberId, no, act, object.id, before, after, ip],
    ) &&
    isDeepStrictEqual({ kind: '', id: '', name: '', ...(by as object) }, actor) &&
    Math.round(Number(seconds) * 1000) === Date.parse(at)
  );
}

function faultOf(entry: ExportedAuditEntry, earlier: ExportedAuditEntry | undefined, head: Head) {
  if (hashOf(entry) !== entry.hash) return 'changed';
  if (!isTold(head.subscriberId, entry)) return 'contradicts';
  const before = earlier?.no ?? 0;
  if (entry.no <= before) return 'order';
  // Of a filtered export it is not known what lies between two entries.
  if (entry.no > before + 1) return head.isWhole ? 'missing' : undefined;
  return entry.previousHash === (earlier?.hash ?? '') ? undefined : 'unlinked';
}

interface Head {
  subscriberId: string;
  isWhole: boolean;
}

/** What does not fit in an export of the audit, in its order; empty = it is as the database chained it. */
export function auditExportFaults({
  subscriberId,
  filter,
  entries,
}: AuditExport): { no: number; fault: AuditExportFault }[] {
  const head = { subscriberId, isWhole: Object.keys(filter).length === 0 };
  return entries.flatMap((entry, at) => {
    const fault = faultOf(entry, entries[at - 1], head);
    return fault ? [{ no: entry.no, fault }] : [];
  });
}
