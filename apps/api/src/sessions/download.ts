import { problem } from '@pdf2press/contract';
import { demandHere, noteFileRole } from '@pdf2press/engine';
import { type SubscriberContext, storedAs } from '@pdf2press/prisma';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { notFound } from '../frame/errors.ts';
import { found } from '../frame/rows.ts';

/** One byte range by RFC 9110 §14; a request for several is answered with the whole file. `null` = cannot be satisfied. */
export function readRange(header: string | undefined, size: number): { start: number; end: number } | null | undefined {
  const range = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!range || (range[1] === '' && range[2] === '')) return undefined;
  const [first, last] = [range[1] ?? '', range[2] ?? ''];
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start > end || start >= size ? null : { start, end };
}

/** A file name for `Content-Disposition` by RFC 6266: ASCII for old programs, UTF-8 for the others. */
export const attachment = (name: string): string => {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const coded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${coded}`;
};

/** Sends a whole PDF as an attachment. */
export async function sendPdf(
  deps: ApiDeps,
  reply: FastifyReply,
  { subscriberId }: Pick<SubscriberContext, 'subscriberId'>,
  file: { name: string; size: bigint; sha256: string },
): Promise<unknown> {
  reply.headers({
    'Content-Type': 'application/pdf',
    'Content-Disposition': attachment(file.name),
    'Content-Length': Number(file.size),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
  });
  return reply.send(await deps.storage.open({ subscriberId, sha256: file.sha256 }));
}

const safeTypes = /^(application\/(pdf|json|zip|xml)|image\/(png|jpeg|webp|tiff)|text\/(plain|csv))$/;

/**
 * Sends a file of a session as an attachment, because a browser must not open a stranger's PDF on our origin. Ranges and
 * conditional requests are supported; the entity tag of bytes is their hash.
 * @throws ProblemError `resource.notFound`, `session.deleted`, `session.archived`
 */
export async function sendFile(
  deps: ApiDeps,
  { caller, request, reply, id, fileId }: Exchange & { id: string; fileId: string },
): Promise<unknown> {
  const file = await asCaller(deps, caller, async (tx) => {
    const session = found(await tx.session.findFirst({ where: { id }, select: { deletedAt: true } }));
    if (session.deletedAt) throw problem('session.deleted');
    const row = found(await tx.file.findFirst({ where: { id: fileId, sessionId: id, removedAt: null } }));
    // Files at notes have a route of their own, with the permission to read the notes.
    if (storedAs<{ role?: string }>(row.meta).role === noteFileRole) throw notFound();
    await demandHere(tx, row.sha256);
    const isBeginning = !request.headers.range || request.headers.range.startsWith('bytes=0-');
    if (isBeginning)
      await audit(tx, request, { act: 'file.download', object: fileId, after: { sessionId: id, name: row.name } });
    return row;
  });
  return sendBytes(deps, { caller, request, reply }, file);
}

/** Who asks for bytes, and where they go. */
export interface Exchange {
  caller: Caller;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Sends stored bytes as an attachment of this name, or the range of them that is asked for. */
export async function sendBytes(
  deps: ApiDeps,
  { caller, request, reply }: Omit<Exchange, 'caller'> & { caller: Pick<Caller, 'subscriberId'> },
  file: { name: string; mediaType: string; sha256: string; size: bigint },
): Promise<unknown> {
  const etag = `"${file.sha256}"`;
  reply.headers({
    'Content-Type': safeTypes.test(file.mediaType) ? file.mediaType : 'application/octet-stream',
    'Content-Disposition': attachment(file.name),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    ...(!reply.hasHeader('Cache-Control') && { 'Cache-Control': 'private, no-cache' }),
    'Accept-Ranges': 'bytes',
    ETag: etag,
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const size = Number(file.size);
  const ifRange = request.headers['if-range'];
  const range = ifRange === undefined || ifRange === etag ? readRange(request.headers.range, size) : undefined;
  const blob = { subscriberId: caller.subscriberId, sha256: file.sha256 };
  if (range === null) {
    // A range that cannot be satisfied is answered without a body: 416 with the size, so that the client can ask again.
    return reply.code(416).header('Content-Range', `bytes */${size}`).removeHeader('Content-Disposition').send();
  }
  if (range) {
    reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
    reply.header('Content-Length', range.end - range.start + 1);
    return reply.send(await deps.storage.open(blob, range));
  }
  reply.header('Content-Length', size);
  return reply.send(await deps.storage.open(blob));
}
