import { chmodSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * A new folder `pdf2press-<purpose>-…` among the system's temporary ones. Others may walk through it, though not list
 * it: a Postgres that root starts runs under another account, and its data goes when the folder does.
 */
export function makeTemporaryFolder(purpose: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `pdf2press-${purpose}-`));
  chmodSync(folder, 0o711);
  return folder;
}
