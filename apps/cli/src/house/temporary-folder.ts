import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Makes a folder `pdf2press-<purpose>-…` in the system's temporary folder. Other accounts can enter it but not list it:
 * Postgres started by root runs under another account and must reach its data below.
 */
export function makeTemporaryFolder(purpose: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `pdf2press-${purpose}-`));
  chmodSync(folder, 0o711);
  return folder;
}

/** Makes a folder in one of those, which other accounts can enter, too. */
export function makeFolderIn(folder: string, name: string): string {
  const made = path.join(folder, name);
  mkdirSync(made, { mode: 0o711 });
  return made;
}
