import { mostNoteFileBytes, noteFileHeadBytes, noteFileTypeOf, noteFileTypes, problem } from '@pdf2press/contract';
import { demandNoteFile, writeBlobs } from '@pdf2press/engine';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import type { Stored } from '@pdf2press/storage';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { readParts } from '../sessions/create.ts';
import { sendBytes } from '../sessions/download.ts';

/** What the stored bytes are: said by themselves and by their name, never by who sent them. Nothing opens them. */
async function typeOf(deps: ApiDeps, { subscriberId }: SubscriberContext, file: Stored & { name: string }) {
  if (file.size === 0) throw problem('file.empty', {}, 'file');
  const range = { start: 0, end: Math.min(file.size, noteFileHeadBytes) - 1 };
  const pieces: Uint8Array[] = [];
  for await (const piece of await deps.storage.open({ subscriberId, sha256: file.sha256 }, range))
    pieces.push(Buffer.from(piece as Uint8Array));
  const mediaType = noteFileTypeOf(file.name, Buffer.concat(pieces));
  const types = noteFileTypes.map(({ type }) => type).join(', ');
  if (!mediaType) throw problem('proof.noteFileTypeNotAccepted', { types }, 'file');
  return mediaType;
}

/**
 * Takes the file of a form for a note: a PDF or a picture. Bytes that are refused get a row, so that they are removed with
 * what nothing uses.
 * @param attach writes that the file belongs to the note; may refuse it
 * @throws ProblemError `file.missing`, `file.empty`, `file.tooLarge`, `proof.noteFileTypeNotAccepted`
 */
export async function takeNoteFile(
  deps: ApiDeps,
  context: SubscriberContext,
  request: FastifyRequest,
  attach: (file: Stored & { name: string; mediaType: string }) => Promise<void>,
): Promise<void> {
  if (!request.isMultipart()) throw problem('request.notJson');
  const { file } = await readParts(deps, context, request, mostNoteFileBytes);
  if (!file) throw problem('file.missing', {}, 'file');
  try {
    await attach({ ...file, mediaType: await typeOf(deps, context, file) });
  } catch (error) {
    const { sha256, size } = file;
    await deps.db.withSubscriber(context, (tx) => writeBlobs(tx, [{ sha256, size }]));
    throw error;
  }
}

/** Sends a file at a note as an attachment. @throws ProblemError `resource.notFound`, `session.deleted` */
export async function sendNoteFile(
  deps: ApiDeps,
  context: SubscriberContext,
  {
    alongside,
    ...wanted
  }: { proofId: string; noteId: string; fileId: string; alongside: (tx: Transaction, name: string) => Promise<void> },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<unknown> {
  const file = await deps.db.withSubscriber(context, async (tx) => {
    const found = await demandNoteFile(tx, wanted);
    await alongside(tx, found.name);
    return found;
  });
  return sendBytes(deps, { caller: context, request, reply }, file);
}
