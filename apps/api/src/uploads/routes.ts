import { cleanFileName, problem, routes, type Sidecar } from '@pdf2press/contract';
import { admit, decideOrganization, receiveFile } from '@pdf2press/engine';
import { newId } from '@pdf2press/prisma';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { checkAccess } from '../frame/access.ts';
import { type Bind, base } from '../frame/bind.ts';
import { actorOf, type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { readObjectField } from '../sessions/create.ts';
import { demandRoom } from './demand-room.ts';
import { checksumAlgorithms, readBytes, readChecksum, readMetadata, tusExtensions, tusVersion } from './tus-headers.ts';
import { createFile, pathOf, removeFile, sizeOnDisk } from './upload-files.ts';
import { findUpload, idleMs, moveOffset, takeUpload, type UploadRow } from './upload-rows.ts';
import { rehash, writeChunk } from './write-chunk.ts';

const speak = (reply: FastifyReply): FastifyReply =>
  reply.headers({ 'Tus-Resumable': tusVersion, 'Cache-Control': 'no-store' });

function demandVersion(request: FastifyRequest, reply: FastifyReply): void {
  speak(reply);
  if (request.headers['tus-resumable'] === tusVersion) return;
  reply.header('Tus-Version', tusVersion);
  throw problem('request.invalid', {}, 'Tus-Resumable');
}

const sourceOf = (caller: Caller) => (caller.kind === 'apiKey' ? 'ExternalApi' : 'ManualInjected');

/** Values of a file beside the uploaded one: headers carry few bytes, so the sender has read it and sends them as JSON. */
const sidecarOf = (text: string | undefined): Sidecar | undefined =>
  text ? { name: 'sidecar.json', text } : undefined;

/** Begins an upload. Whatever would refuse the finished file refuses it here, before the first byte. */
async function begin(deps: ApiDeps, caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  demandVersion(request, reply);
  const size = readBytes(request.headers['upload-length'], 'Upload-Length');
  if (size > deps.env.maxUploadBytes) throw problem('file.tooLarge', { limit: deps.env.maxUploadBytes });
  const metadata = readMetadata(request.headers['upload-metadata'] as string | undefined);
  const workflowId = metadata.get('workflowId') ?? '';
  const variables = readObjectField(metadata.get('variables'), 'variables');
  const sidecar = metadata.get('sidecar');
  const fileName = cleanFileName(metadata.get('filename') ?? '');
  await demandRoom(deps.storage, size);
  const id = newId('upload');
  const expiresAt = new Date(Date.now() + idleMs);
  const chosen = metadata.get('organizationId') || undefined;
  await createFile(deps, id);
  await asCaller(deps, caller, async (tx) => {
    await admit(tx, { workflowId, variables, source: sourceOf(caller), fileName, sidecar: sidecarOf(sidecar) });
    const { organizationId } = await decideOrganization(tx, { workflowId, chosen });
    await tx.upload.create({
      data: {
        id,
        principal: { ...actorOf(caller) },
        organizationId,
        workflowId,
        fileName,
        declaredSize: size,
        metadata: { variables: variables as Record<string, string>, ...(sidecar && { sidecar }) },
        expiresAt,
      },
      select: { id: true },
    });
  }).catch(async (error: unknown) => {
    await removeFile(deps, id);
    throw error;
  });
  reply
    .code(201)
    .headers({ Location: `${base}/uploads/${id}`, 'Upload-Offset': '0', 'Upload-Expires': expiresAt.toUTCString() });
  if (size === 0) await finish(deps, caller, await asCaller(deps, caller, (tx) => findUpload(tx, caller, id)), reply);
  return reply.send();
}

/**
 * Starts the session of an upload whose bytes are complete. The last PATCH is acknowledged only after this; repeated, it
 * answers the same session.
 */
async function finish(deps: ApiDeps, caller: Caller, upload: UploadRow, reply: FastifyReply): Promise<void> {
  let { sessionId } = upload;
  if (!upload.isCompleted) {
    const path = pathOf(deps, upload.id);
    const known = deps.uploads.hashes.get(upload.id);
    const state = known?.offset === upload.size ? known : await rehash(path, upload.size);
    const { subscriberId } = caller;
    const sha256 = state.hash.copy().digest('hex');
    // The file is gone where an earlier attempt moved it into the store and ended before it made the session.
    const isHere = (await sizeOnDisk(deps, upload.id)) !== undefined;
    const stored = isHere
      ? await deps.storage.adopt({ subscriberId, path, sha256, size: upload.size })
      : { sha256, size: upload.size };
    const started = await receiveFile(deps.engine, {
      context: contextOf(caller),
      workflowId: upload.workflowId,
      source: sourceOf(caller),
      sourceName: caller.name,
      fileName: upload.fileName,
      bytes: stored,
      uploadId: upload.id,
      variables: upload.variables,
      sidecar: sidecarOf(upload.sidecar),
      createdBy: actorOf(caller),
      ingest: { kind: 'tus', key: upload.id },
      ...(upload.organizationId !== null && { organizationId: upload.organizationId }),
    });
    sessionId = started.sessionId;
    deps.uploads.hashes.delete(upload.id);
  }
  reply.header('X-Session-Id', sessionId ?? '');
}

/** When a sender connects again, its earlier connection is dead, even where the operating system has not noticed. */
async function endEarlierWriter(deps: ApiDeps, id: string): Promise<void> {
  const writer = deps.uploads.writers.get(id);
  writer?.abort();
  await writer?.ended;
}

async function append(
  deps: ApiDeps,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<unknown> {
  demandVersion(request, reply);
  if (request.headers['content-type'] !== 'application/offset+octet-stream') throw problem('request.notJson');
  const offset = readBytes(request.headers['upload-offset'], 'Upload-Offset');
  const checksum = readChecksum(request.headers['upload-checksum']);
  await endEarlierWriter(deps, id);
  const upload = await asCaller(deps, caller, (tx) => findUpload(tx, caller, id));
  if (offset === upload.size && upload.offset === upload.size) {
    // All bytes had arrived and only the answer was lost.
    await finish(deps, caller, upload, reply);
    return reply.code(204).header('Upload-Offset', String(offset)).send();
  }
  // An API process on another machine has the bytes. It must not be kept from them, and the sender may begin anew here.
  if ((await sizeOnDisk(deps, id)) === undefined) throw problem('upload.notFound');
  const token = await asCaller(deps, caller, (tx) => takeUpload(tx, id, offset));
  if (token === undefined) return reply.code(423).send();

  let markEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    markEnded = resolve;
  });
  const body = request.raw;
  deps.uploads.writers.set(id, { abort: () => body.destroy(new Error('aborted')), ended });
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
        const isMine = await asCaller(deps, caller, (tx) => moveOffset(tx, { id, token, offset: at, isLast: false }));
        if (!isMine) throw problem('resource.conflict');
      },
    }).catch(async (error: unknown) => {
      await asCaller(deps, caller, (tx) => moveOffset(tx, { id, token, offset, isLast: true }));
      throw error;
    });
    deps.uploads.hashes.set(id, written);
    await asCaller(deps, caller, (tx) => moveOffset(tx, { id, token, offset: written.offset, isLast: true }));
    reply.headers({
      'Upload-Offset': String(written.offset),
      'Upload-Expires': new Date(Date.now() + idleMs).toUTCString(),
    });
    if (written.offset === upload.size) await finish(deps, caller, { ...upload, offset: upload.size }, reply);
    return reply.code(204).send();
  } finally {
    deps.uploads.writers.delete(id);
    markEnded();
  }
}

/** The offset to go on from: the smaller of row and file, which may differ after a crash. */
async function head(deps: ApiDeps, caller: Caller, reply: FastifyReply, id: string): Promise<unknown> {
  speak(reply);
  await endEarlierWriter(deps, id);
  const upload = await asCaller(deps, caller, (tx) => findUpload(tx, caller, id));
  let { offset } = upload;
  if (!upload.isCompleted && offset < upload.size) {
    const size = await sizeOnDisk(deps, id);
    if (size === undefined) throw problem('upload.notFound');
    if (size < offset) {
      offset = size;
      await asCaller(deps, caller, (tx) => tx.upload.update({ where: { id }, data: { offset }, select: { id: true } }));
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

/**
 * Resumable uploads by the tus protocol 1.0.0. Not a library, because the offset is a locked row, the hash is taken from
 * the stream and the last answer waits for the session's transaction; apart from these the protocol is only headers.
 */
export function bindUploads(bind: Bind, deps: ApiDeps, app: FastifyInstance): void {
  const { uploads } = routes;
  bind(uploads.create, ({ caller, request, reply }) => begin(deps, caller, request, reply));
  bind(uploads.append, ({ caller, request, reply, params }) => append(deps, caller, request, reply, params.id));

  bind(uploads.remove, async ({ caller, request, reply, params }) => {
    demandVersion(request, reply);
    await endEarlierWriter(deps, params.id);
    await asCaller(deps, caller, async (tx) => {
      const { isCompleted } = await findUpload(tx, caller, params.id);
      if (!isCompleted)
        await tx.upload.update({ where: { id: params.id }, data: { state: 'Expired' }, select: { id: true } });
    });
    deps.uploads.hashes.delete(params.id);
    await removeFile(deps, params.id);
    return reply.code(204).send();
  });

  bind(uploads.get, async ({ caller, params }) => {
    const { id, offset, size, sessionId } = await asCaller(deps, caller, (tx) => findUpload(tx, caller, params.id));
    return { id, offset, length: size, sessionId };
  });

  // Not part of the contract's route table: HEAD has no body to describe.
  app.route<{ Params: { id: string } }>({
    method: 'HEAD',
    url: `${base}/uploads/:id`,
    config: { access: uploads.get.access },
    handler: async (request, reply) => {
      checkAccess(uploads.get, request.caller);
      if (!request.caller) throw problem('auth.tokenInvalid');
      return head(deps, request.caller, reply, request.params.id);
    },
  });
  app.route({
    method: 'OPTIONS',
    url: `${base}/uploads`,
    config: { access: { kind: 'public' } },
    handler: async (_request, reply) =>
      speak(reply)
        .code(204)
        .headers({
          'Tus-Version': tusVersion,
          'Tus-Extension': tusExtensions,
          'Tus-Checksum-Algorithm': checksumAlgorithms.join(','),
          'Tus-Max-Size': String(deps.env.maxUploadBytes),
        })
        .send(),
  });
}
