import { randomUUID } from 'node:crypto';
import { problem } from '@pdf2press/contract';
import type { Actor } from '@pdf2press/engine';
import type { Transaction } from '@pdf2press/prisma';
import { demandTurn, queueForTurn, type Turn } from './demand-turn.ts';

/** Idle uploads are removed after this time. */
export const idleMs = 24 * 3_600_000;
/** A writer that has not renewed its lease for this long no longer holds the upload. */
export const leaseSeconds = 20;

export interface UploadRow {
  id: string;
  offset: number;
  size: number;
  fileName: string;
  /** Null until an upload to an upload page is submitted. */
  workflowId: string | null;
  organizationId: string | null;
  variables: Record<string, unknown>;
  /** Values that came in a file beside it, as JSON. */
  sidecar: string | undefined;
  /** Of its bytes, once they were moved into the store. */
  sha256: string | undefined;
  sessionId: string | null;
  isCompleted: boolean;
  expiresAt: Date;
}

/** Whose an upload is. */
export type Owner = Actor & { id: string };

const isOwn = (principal: unknown, owner: Owner) => {
  const { kind, id } = (principal ?? {}) as { kind?: unknown; id?: unknown };
  return kind === owner.kind && id === owner.id;
};

/** The sender's own upload. Those of others, unknown and expired ones get the same answer. @throws `upload.notFound` */
export async function findUpload(tx: Transaction, owner: Owner, id: string): Promise<UploadRow> {
  const row = await tx.upload.findFirst({ where: { id } });
  const isOpen = row !== null && row.state !== 'Expired' && (row.state === 'Completed' || row.expiresAt > new Date());
  if (!isOpen || !isOwn(row.principal, owner)) throw problem('upload.notFound');
  const metadata = (row.metadata ?? {}) as {
    variables?: Record<string, unknown>;
    sidecar?: string;
    sha256?: string;
  };
  return {
    id: row.id,
    offset: Number(row.offset),
    size: Number(row.declaredSize),
    fileName: row.fileName,
    workflowId: row.workflowId,
    organizationId: row.organizationId,
    variables: metadata.variables ?? {},
    sidecar: metadata.sidecar,
    sha256: metadata.sha256,
    sessionId: row.sessionId,
    isCompleted: row.state === 'Completed',
    expiresAt: row.expiresAt,
  };
}

/**
 * Takes an upload for writing, under a lock on its row: the writer is recorded with a lease, so that two senders or two
 * API processes never write the same file. Resolves to the writer's token; undefined while another one writes.
 * @throws ProblemError `upload.notFound`, `resource.conflict` at another offset, `upload.busy` while too many are written
 */
export async function takeUpload(
  tx: Transaction,
  { id, offset, turn }: { id: string; offset: number; turn: Turn },
): Promise<string | undefined> {
  const token = randomUUID();
  await queueForTurn(tx);
  await tx.$queryRaw`select 1 from uploads where id = ${id} for update`;
  const [row] = await tx.$queryRaw<{ isAt: boolean; isHeld: boolean }[]>`
    select "offset" = ${offset}::bigint as "isAt",
           coalesce((metadata ->> 'until')::timestamptz > clock_timestamp(), false) as "isHeld"
      from uploads where id = ${id} and state = 'Open'`;
  if (!row) throw problem('upload.notFound');
  if (row.isHeld) return undefined;
  if (!row.isAt) throw problem('resource.conflict');
  await demandTurn(tx, turn);
  await tx.$executeRaw`
    update uploads set metadata = metadata || jsonb_build_object('writer', ${token}::text, 'from', ${turn.from ?? ''}::text,
                                    'until', clock_timestamp() + make_interval(secs => ${leaseSeconds}::int))
     where id = ${id}`;
  return token;
}

/**
 * Asks whoever writes an upload to stop, because its sender has connected again; it may be another API process. Resolves to
 * whether somebody still holds it.
 */
export async function askWriterToEnd(tx: Transaction, id: string): Promise<boolean> {
  const held = await tx.$executeRaw`
    update uploads set metadata = metadata || jsonb_build_object('asked', metadata ->> 'writer')
     where id = ${id} and (metadata ->> 'until')::timestamptz > clock_timestamp()`;
  return held > 0;
}

/** Whether the sender of this writer's bytes has connected again. */
export async function isAskedToEnd(tx: Transaction, { id, token }: { id: string; token: string }): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ isAsked: boolean }[]>`
    select coalesce(metadata ->> 'asked' = ${token}, false) as "isAsked" from uploads where id = ${id}`;
  return row?.isAsked ?? true;
}

/** Stores a new offset, as the writer that holds the upload. False = another writer holds it now: stop writing. */
export async function moveOffset(
  tx: Transaction,
  { id, token, offset, isLast }: { id: string; token: string; offset: number; isLast: boolean },
): Promise<boolean> {
  const seconds = isLast ? 0 : leaseSeconds;
  const rows = await tx.$executeRaw`
    update uploads
       set "offset" = ${offset}::bigint, expires_at = clock_timestamp() + make_interval(secs => ${idleMs / 1000}::int),
           metadata = (case when ${isLast}::boolean then metadata - 'from' else metadata end)
                      || jsonb_build_object('until', clock_timestamp() + make_interval(secs => ${seconds}::int))
     where id = ${id} and metadata ->> 'writer' = ${token} and state = 'Open'`;
  return rows === 1;
}
