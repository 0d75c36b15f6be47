import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileRange } from './plain-objects.ts';

/** Data of new streams of an open file, kept on disk so that changes need no memory. */
export interface Spool {
  append: (bytes: Uint8Array) => FileRange;
  close: () => void;
}

/** One file in the temporary directory (in a limited child: its working directory), created with the first stream. */
export function createSpool(): Spool {
  let directory: string | null = null;
  let fd = -1;
  let size = 0;
  return {
    append(bytes) {
      if (directory === null) {
        directory = mkdtempSync(join(tmpdir(), 'spool-'));
        fd = openSync(join(directory, 'streams'), 'wx+', 0o600);
      }
      const offset = size;
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, offset + done);
      size += bytes.length;
      return { fd, offset, length: bytes.length };
    },
    close() {
      if (directory === null) return;
      closeSync(fd);
      rmSync(directory, { recursive: true, force: true });
      directory = null;
    },
  };
}
