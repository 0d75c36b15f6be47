import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline as pipeThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** A backup cannot be made or restored; the message is for the person at the terminal. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** One file of a backup, as it lies on the disk. */
export interface Part {
  /** Relative to the backup's folder, with `/`. */
  file: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

/** Passes bytes on and adds them up. */
export function fingerprint() {
  const hash = createHash('sha256');
  let size = 0;
  return {
    through: async function* (bytes: AsyncIterable<Uint8Array>) {
      for await (const chunk of bytes) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    /** Once, when all has passed. */
    result: () => ({ size, sha256: hash.digest('hex') }),
  };
}

/** Writes a stream compressed to a new file that only its owner may read, and flushes it. */
export async function writePart(source: Readable, path: string, file: string): Promise<Part> {
  const print = fingerprint();
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(source, createGzip({ level: 6 }), print.through, target);
  return { file, ...print.result() };
}

/** What `writePart` was given; whoever reads it gets the errors of the file and of the compression. */
export function readPart(path: string): Readable {
  const plain = createGunzip();
  return pipeThrough(createReadStream(path), plain, () => undefined);
}
