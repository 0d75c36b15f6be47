import { Readable } from 'node:stream';
import { type AuditAnchors, type AuditExport, type AuditFaultKind, mostAuditFaults, routes } from '@pdf2press/contract';
import { readAnchors } from '@pdf2press/engine';
import { anchorFaults, certificateKey } from '@pdf2press/engine/secrets';
import type { Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { type Caller, demandWhole } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { csvHead, csvLine } from '../frame/csv.ts';
import { attachment } from '../sessions/download.ts';
import { auditColumns } from './csv.ts';
import { type AuditFilter, readAudit, readChainEnd, readChained } from './read-audit.ts';

const exportBatch = 1000;

type Entries = Awaited<ReturnType<typeof readChained>>;

/** All entries up to the last, in batches; the first is read already. */
async function* batches(deps: ApiDeps, caller: Caller, filter: AuditFilter, read: { first: Entries; last: number }) {
  const { first, last } = read;
  for (let entries = first; ; ) {
    yield entries;
    const after = entries.at(-1)?.no;
    if (after === undefined || entries.length < exportBatch) return;
    entries = await asCaller(deps, caller, (tx) => readChained(tx, filter, { after, last, limit: exportBatch }));
  }
}

async function* csvOf(all: ReturnType<typeof batches>) {
  yield csvHead(auditColumns);
  for await (const entries of all) yield entries.map((entry) => csvLine(auditColumns, entry)).join('');
}

/** One entry a line. */
async function* jsonOf(all: ReturnType<typeof batches>, head: Omit<AuditExport, 'entries'>) {
  yield `${JSON.stringify(head).slice(0, -1)},"entries":[`;
  let separator = '\n';
  for await (const entries of all) {
    if (entries.length === 0) continue;
    yield separator + entries.map((entry) => JSON.stringify(entry)).join(',\n');
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** Whether each anchor is signed here and its entry is still what it was. */
async function judgeAnchors(tx: Transaction, { keys }: ApiDeps, subscriberId: string) {
  const anchors = await readAnchors(tx);
  const rows = await tx.$queryRaw<{ no: number; hash: string }[]>`
    select no, coalesce(encode(row_hash, 'hex'), '') as hash from audit_entries
     where no in (select no from audit_anchors)`;
  const hashes = new Map(rows.map(({ no, hash }) => [no, hash]));
  const faults = anchorFaults({ subscriberId, anchors }, certificateKey(keys), (no) => hashes.get(no));
  const last = anchors.at(-1);
  return {
    count: anchors.length,
    last: last ? { no: last.no, at: last.at } : null,
    faultCount: faults.length,
    faults: faults.slice(0, mostAuditFaults),
  };
}

export function bindAudit(bind: Bind, deps: ApiDeps): void {
  bind(routes.audit.list, async ({ caller, query }) => {
    demandWhole(caller);
    return asCaller(deps, caller, (tx) => readAudit(tx, query));
  });

  bind(routes.audit.chain, async ({ caller }) => {
    demandWhole(caller);
    return asCaller(deps, caller, async (tx) => {
      const [counted] = await tx.$queryRaw<{ count: number }[]>`select count(*)::int as count from audit_entries`;
      const faults = await tx.$queryRaw<{ no: number; kind: AuditFaultKind; all: number }[]>`
        select no, fault as kind, (count(*) over ())::int as all from audit_breaks order by no limit ${mostAuditFaults}`;
      return {
        count: counted?.count ?? 0,
        last: await readChainEnd(tx),
        faultCount: faults[0]?.all ?? 0,
        faults,
        anchors: await judgeAnchors(tx, deps, caller.subscriberId),
      };
    });
  });

  bind(routes.audit.anchors, async ({ caller, request, reply }) => {
    demandWhole(caller);
    const { subscriberId } = caller;
    const anchors = await asCaller(deps, caller, async (tx) => {
      await audit(tx, request, { act: 'audit.export', object: subscriberId, after: { format: 'anchors' } });
      return readAnchors(tx);
    });
    const exportedAt = new Date().toISOString();
    const file: AuditAnchors = {
      format: 'pdf2press-audit-anchors',
      formatVersion: 1,
      subscriberId,
      exportedAt,
      anchors,
    };
    reply.headers({
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': attachment(`audit-anchors-${exportedAt.slice(0, 10)}.json`),
      'Cache-Control': 'no-store',
    });
    return `${JSON.stringify(file, null, 1)}\n`;
  });

  bind(routes.audit.export, async ({ caller, request, reply, query }) => {
    demandWhole(caller);
    const { format, ...given } = query;
    const filter = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const read = await asCaller(deps, caller, async (tx) => {
      const last = (await readChainEnd(tx))?.no ?? 0;
      // A filter that cannot be used is refused before anything is sent or written down.
      const first = await readChained(tx, filter, { after: 0, last, limit: exportBatch });
      await audit(tx, request, { act: 'audit.export', object: caller.subscriberId, after: { format, ...filter } });
      return { first, last };
    });
    const exportedAt = new Date().toISOString();
    reply.headers({
      'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
      'Content-Disposition': attachment(`audit-${exportedAt.slice(0, 10)}.${format}`),
      'Cache-Control': 'no-store',
    });
    const all = batches(deps, caller, filter, read);
    const { subscriberId } = caller;
    return Readable.from(
      format === 'csv'
        ? csvOf(all)
        : jsonOf(all, { format: 'pdf2press-audit', formatVersion: 1, subscriberId, exportedAt, filter }),
    );
  });
}
