import { setTimeout as sleep } from 'node:timers/promises';
import { cleanFileName, problem } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { base } from '../frame/bind.ts';
import { demandRoom } from './demand-room.ts';
import { demandTurn, hasTurn, turnSeconds } from './demand-turn.ts';
import type { Sender } from './sender.ts';
import { readBytes, readChecksum, readMetadata, tusVersion } from './tus-headers.ts';
import { createFile, pathOf, removeFile, sizeOnDisk } from './upload-files.ts';
import {
  askWriterToEnd,
  findUpload,
  idleMs,
  isAskedToEnd,
  leaseSeconds,
  moveOffset,
  takeUpload,
  type UploadRow,
} from './upload-rows.ts';
import { rehash, writeChunk } from './write-chunk.ts';

/*
 * Resumable uploads by the tus protocol 1.0.0. Not a library, because the offset is a locked row, the hash is taken from
 * the stream and the last answer waits for the session's transaction; apart from these the protocol is only headers.
 */

export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export const speak = (reply: FastifyReply): FastifyReply =>
  reply.headers({ 'Tus-Resumable': tusVersion, 'Cache-Control': 'no-store' });

function demandVersion(request: FastifyRequest, reply: FastifyReply): void {
  speak(reply);
  if (request.headers['tus-resumable'] === tusVersion) return;
  reply.header('Tus-Version', tusVersion);
  throw problem('request.invalid', {}, 'Tus-Resumable');
}

const turnOf = ({ principal: owner, from }: Sender, id?: string) => ({ owner, from, ...(id !== undefined && { id }) });

/** Begins an upload. Whatever would refuse the finished file refuses it here, before the first byte. */
export async function beginUpload(deps: ApiDeps, sender: Sender, { request, reply }: Exchange): Promise<unknown> {
  demandVersion(request, reply);
  const size = readBytes(request.headers['upload-length'], 'Upload-Length');
  if (size > sender.maxBytes) throw problem('file.tooLarge', { limit: sender.maxBytes });
  const metadata = readMetadata(request.headers['upload-metadata'] as string | undefined);
  const fileName = cleanFileName(metadata.get('filename') ?? '');
  await demandRoom(deps.storage, size);
  const id = newId('upload');
  const expiresAt = new Date(Date.now() + idleMs);
  await createFile(deps, id);
  await sender
    .run(async (tx) => {
      await demandTurn(tx, turnOf(sender));
      const admission = await sender.admit(tx, { fileName, size, metadata });
      await tx.upload.create({
        data: {
          id,
          principal: { ...sender.principal },
          fileName,
          declaredSize: size,
          expiresAt,
          ...admission,
        },
        select: { id: true },
      });
    })
    .catch(async (error: unknown) => {
      await removeFile(deps, id);
      throw error;
    });
  reply.code(201).headers({
    Location: `${base}${sender.path}/${id}`,
    'Upload-Offset': '0',
    'Upload-Expires': expiresAt.toUTCString(),
  });
  if (size === 0) await finish(sender, await sender.run((tx) => findUpload(tx, sender.principal, id)), reply);
  return reply.send();
}

/**
 * Makes of complete bytes what their sender wants. The last PATCH is acknowledged only after this; repeated, it answers the
 * same session.
 */
async function finish(sender: Sender, upload: UploadRow, reply: FastifyReply): Promise<void> {
  const sessionId = upload.isCompleted ? upload.sessionId : await sender.complete(upload);
  reply.header('X-Session-Id', sessionId ?? '');
}

/** Milliseconds that another API process has to stop writing; longer than `askedEvery`, shorter than a lease. */
const endPatience = 5_000;
/** How often a writer looks whether its sender has come to another API process. */
const askedEvery = 1_000;

/**
 * When a sender connects again, its earlier connection is dead, even where the operating system has not noticed. It may
 * have led to another API process, which is asked to stop; one that was killed stops at the end of its lease.
 * @throws `upload.notFound` for an upload of somebody else
 */
async function endEarlierWriter(deps: ApiDeps, sender: Sender, id: string): Promise<void> {
  await sender.run((tx) => findUpload(tx, sender.principal, id));
  const writer = deps.uploads.writers.get(id);
  writer?.abort();
  await writer?.ended;
  const deadline = performance.now() + endPatience;
  while ((await sender.run((tx) => askWriterToEnd(tx, id))) && performance.now() < deadline) await sleep(200);
}

/** Takes the bytes of a PATCH at their offset. */
export async function appendUpload(
  deps: ApiDeps,
  sender: Sender,
  { request, reply }: Exchange,
  id: string,
): Promise<unknown> {
  demandVersion(request, reply);
  if (request.headers['content-type'] !== 'application/offset+octet-stream') throw problem('request.notJson');
  const offset = readBytes(request.headers['upload-offset'], 'Upload-Offset');
  const checksum = readChecksum(request.headers['upload-checksum']);
  await endEarlierWriter(deps, sender, id);
  const upload = await sender.run((tx) => findUpload(tx, sender.principal, id));
  if (offset === upload.size && upload.offset === upload.size) {
    // All bytes had arrived and only the answer was lost.
    await finish(sender, upload, reply);
    return reply.code(204).header('Upload-Offset', String(offset)).send();
  }
  // An API process on another machine has the bytes. It must not be kept from them, and the sender may begin anew here.
  if ((await sizeOnDisk(deps, id)) === undefined) throw problem('upload.notFound');
  const token = await sender.run((tx) => takeUpload(tx, { id, offset, turn: turnOf(sender, id) }));
  if (token === undefined) return reply.code(423).header('Retry-After', String(leaseSeconds)).send();

  let markEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    markEnded = resolve;
  });
  const body = request.raw;
  const abort = () => void body.destroy(new Error('aborted'));
  deps.uploads.writers.set(id, {
    abort,
    ended,
  });
  const watch = setInterval(() => {
    sender
      .run((tx) => isAskedToEnd(tx, { id, token }))
      .then(
        (isAsked) => isAsked && abort(),
        // Asked again in a second; without an answer for long the lease ends, and the next progress ends the writing.
        (error: unknown) => deps.log.warn({ err: error, upload: id }, 'upload.watch'),
      );
  }, askedEvery);
  try {
    const known = deps.uploads.hashes.get(id);
    const state = known?.offset === offset ? known : await rehash(pathOf(deps, id), offset);
    deps.uploads.hashes.delete(id);
    const written = await writeChunk({
      path: pathOf(deps, id),
      state,
      bytes: body,
      size: upload.size,
      checksum,
      onProgress: async (at) => {
        const isMine = await sender.run((tx) => moveOffset(tx, { id, token, offset: at, isLast: false }));
        if (!isMine) throw problem('resource.conflict');
      },
    }).catch(async (error: unknown) => {
      await sender.run((tx) => moveOffset(tx, { id, token, offset, isLast: true }));
      throw error;
    });
    deps.uploads.hashes.set(id, written);
    await sender.run((tx) => moveOffset(tx, { id, token, offset: written.offset, isLast: true }));
    reply.headers({
      'Upload-Offset': String(written.offset),
      'Upload-Expires': new Date(Date.now() + idleMs).toUTCString(),
    });
    if (written.offset === upload.size) await finish(sender, { ...upload, offset: upload.size }, reply);
    return reply.code(204).send();
  } finally {
    clearInterval(watch);
    deps.uploads.writers.delete(id);
    markEnded();
  }
}

/** The offset to go on from: the smaller of row and file, which may differ after a crash. */
export async function headUpload(deps: ApiDeps, sender: Sender, reply: FastifyReply, id: string): Promise<unknown> {
  speak(reply);
  await endEarlierWriter(deps, sender, id);
  const upload = await sender.run((tx) => findUpload(tx, sender.principal, id));
  let { offset } = upload;
  if (!upload.isCompleted && offset < upload.size) {
    // Told before the bytes are sent. Not 429, at which clients give the upload up and begin it anew.
    if (!(await sender.run((tx) => hasTurn(tx, turnOf(sender, id)))))
      return reply.code(423).header('Retry-After', String(turnSeconds)).send();
    const size = await sizeOnDisk(deps, id);
    if (size === undefined) throw problem('upload.notFound');
    if (size < offset) {
      offset = size;
      await sender.run((tx) =>
        tx.upload.update({
          where: { id },
          data: { offset },
          select: { id: true },
        }),
      );
    }
  }
  reply.headers({
    'Upload-Offset': String(offset),
    'Upload-Length': String(upload.size),
    'Upload-Expires': upload.expiresAt.toUTCString(),
    ...(upload.sessionId ? { 'X-Session-Id': upload.sessionId } : {}),
  });
  return reply.code(200).send();
}

/** Removes an upload that became nothing yet, with its bytes. */
export async function removeUpload(
  deps: ApiDeps,
  sender: Sender,
  { request, reply }: Exchange,
  id: string,
): Promise<unknown> {
  demandVersion(request, reply);
  await endEarlierWriter(deps, sender, id);
  await sender.run(async (tx) => {
    const { isCompleted } = await findUpload(tx, sender.principal, id);
    if (!isCompleted)
      await tx.upload.update({
        where: { id },
        data: { state: 'Expired' },
        select: { id: true },
      });
  });
  deps.uploads.hashes.delete(id);
  await removeFile(deps, id);
  return reply.code(204).send();
}
