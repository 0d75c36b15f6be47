/**
 * Copies a large PDF in the background while its fixes are computed. The changes are then written into the copy, which
 * is faster than writing the whole file anew.
 */
import { closeSync, constants, openSync, readSync, rmSync, statSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import path from 'node:path';

export interface CopyAhead {
  /**
   * Starts copying `source` if it is a large PDF; small files are fast to write anew. A second call for the same file
   * does nothing.
   */
  begin: (source: string) => void;
  /** The path of the copy once it is made, which then belongs to the caller; null when none is or could be made. */
  take: (source: string) => Promise<string | null> | null;
  /** Waits for a copy in progress and deletes it. */
  drop: () => Promise<void>;
}

/** Bytes. For files of this size and above, copying takes longer than the rest of a run on the command line. */
const largeBytes = 2 ** 25;

/**
 * Creates the background copier of one fix step.
 * @param workDir directory of the copies, absolute; the caller removes it
 */
export function createCopyAhead(workDir: string): CopyAhead {
  let current: { source: string; copy: Promise<string | null> } | null = null;
  let count = 0;
  const take = (source: string): Promise<string | null> | null => {
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
    // The code that opens the file reports the fault.
    return false;
  }
}

/** Null when the copy fails, for example on a full disk; writing the result then reports the same fault. */
async function copied(source: string, copy: string): Promise<string | null> {
  try {
    await copyFile(source, copy, constants.COPYFILE_FICLONE);
    // The original may be read-only; its copy has to be writable.
    await chmod(copy, 0o666 & ~process.umask());
    return copy;
  } catch {
    rmSync(copy, { force: true });
    return null;
  }
}
