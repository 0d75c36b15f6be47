import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { problem } from '@pdf2press/contract';
import type { ChecksumAlgorithm } from './tus-headers.ts';

/** The hash of a file's first `offset` bytes, kept from chunk to chunk so that no byte is read twice. */
export interface HashState {
  offset: number;
  hash: Hash;
}

/** Computes the hash from the bytes on disk: after a restart, or when another process wrote the chunk before. */
export async function rehash(path: string, offset: number): Promise<HashState> {
  const hash = createHash('sha256');
  if (offset > 0)
    for await (const part of createReadStream(path, { end: offset - 1, highWaterMark: 1 << 20 })) hash.update(part);
  return { offset, hash };
}

export interface Chunk {
  path: string;
  state: HashState;
  bytes: AsyncIterable<Uint8Array>;
  /** The file's declared size; more bytes are refused. */
  size: number;
  checksum?: { algorithm: ChecksumAlgorithm; digest: Buffer } | undefined;
  /** Called about every `beatBytes` or `beatMs` with the offset on disk; a throw ends the writing. */
  onProgress: (offset: number) => Promise<void>;
}

const beatMs = 4_000;

const writeWhole = async (handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  for (let at = 0; at < bytes.byteLength; )
    at += (await handle.write(bytes, at, bytes.byteLength - at, position + at)).bytesWritten;
};

/**
 * Appends a chunk to the file and hashes it on the way. When the sender disconnects, the bytes that arrived are kept;
 * a chunk with a wrong checksum is removed again.
 * @returns the state to go on from
 * @throws ProblemError `upload.checksumMismatch`, `file.tooLarge`, `storage.full`
 */
export async function writeChunk({
  path,
  state,
  bytes,
  size,
  checksum,
  onProgress,
}: Chunk): Promise<HashState & { isBroken: boolean }> {
  const handle = await open(path, 'r+');
  const before = state.hash.copy();
  const check = checksum && createHash(checksum.algorithm);
  let { offset } = state;
  let isBroken = false;
  let beatAt = Date.now();
  try {
    // After a crash there may be more bytes on disk than were counted.
    await handle.truncate(offset);
    try {
      for await (const part of bytes) {
        if (offset + part.byteLength > size) throw problem('file.tooLarge', { limit: size });
        state.hash.update(part);
        check?.update(part);
        await writeWhole(handle, part, offset);
        offset += part.byteLength;
        if (Date.now() - beatAt > beatMs) {
          beatAt = Date.now();
          if (!check) await onProgress(offset);
        }
      }
    } catch (error) {
      if (!isGone(error)) throw asRoom(error);
      isBroken = true;
    }
    if (check && (isBroken || !check.digest().equals(checksum.digest))) {
      await handle.truncate(state.offset);
      if (isBroken) return { offset: state.offset, hash: before, isBroken };
      throw problem('upload.checksumMismatch');
    }
    if (offset === size) await handle.sync();
    return { offset, hash: state.hash, isBroken };
  } finally {
    await handle.close();
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
/** The sender closed the connection, or it was closed here because the sender connected again. */
const isGone = (error: unknown): boolean =>
  ['ECONNRESET', 'ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'EPIPE'].includes(codeOf(error)) ||
  (error instanceof Error && error.message === 'aborted');
const asRoom = (error: unknown): unknown => (codeOf(error) === 'ENOSPC' ? problem('storage.full') : error);
