/**
 * A large file that is changed in a few places is a copy with those places changed. The system copies it beside our own work:
 * on another processor, from one file to the other without passing through this process.
 */
import { closeSync, constants, openSync, readSync, rmSync, statSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import path from 'node:path';

export interface CopyAhead {
  /** Has a large PDF copied; a smaller one is written anew in no time. Twice for one file is once. */
  begin: (source: string) => void;
  /** The copy of that file, now the caller's own; null where there is none. */
  take: (source: string) => Promise<string | null>;
  /** Waits for what is under way, and leaves nothing behind. */
  drop: () => Promise<void>;
}

/** From here on, copying costs more than all else that the command-line does. */
const largeBytes = 2 ** 25;

export function createCopyAhead(workDir: string): CopyAhead {
  let current: { source: string; copy: Promise<string | null> } | null = null;
  let count = 0;
  const take = async (source: string): Promise<string | null> => {
    if (current?.source !== source) return null;
    const { copy } = current;
    current = null;
    return copy;
  };
  const drop = async (): Promise<void> => {
    const copy = current && (await take(current.source));
    if (copy) rmSync(copy, { force: true });
  };
  return {
    take,
    drop,
    begin(source) {
      if (current?.source === source || !isLargePdf(source)) return;
      const before = drop();
      const copy = path.join(workDir, `copy-${count}.pdf`);
      count += 1;
      current = { source, copy: before.then(() => copied(source, copy)) };
    },
  };
}

function isLargePdf(source: string): boolean {
  try {
    if (statSync(source).size < largeBytes) return false;
    const fd = openSync(source, 'r');
    const head = Buffer.alloc(5);
    readSync(fd, head, 0, head.length, 0);
    closeSync(fd);
    return head.toString('latin1') === '%PDF-';
  } catch {
    // Whoever opens it says what is wrong with it.
    return false;
  }
}

/** Where the disk can share blocks, it costs nothing. Null where it cannot be: a full disk is met again by whoever writes. */
async function copied(source: string, copy: string): Promise<string | null> {
  try {
    await copyFile(source, copy, constants.COPYFILE_FICLONE);
    // The original may not be written to; what is made of it is a file like any other.
    await chmod(copy, 0o666 & ~process.umask());
    return copy;
  } catch {
    rmSync(copy, { force: true });
    return null;
  }
}
