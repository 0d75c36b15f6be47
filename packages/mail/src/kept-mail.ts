import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A message stored on disk because no mail server is set; administrators read it in the app. */
export interface KeptMail {
  id: string;
  to: string;
  subject: string;
  /** ISO 8601. */
  at: string;
  text: string;
}

const folderOf = (root: string, subscriberId: string) => path.join(root, subscriberId.replace(/[^A-Za-z0-9_-]/g, ''));

/** Names begin with the time, so that the newest is the last. */
export async function keepMail(root: string, subscriberId: string, mail: Omit<KeptMail, 'id' | 'at'>): Promise<void> {
  const folder = folderOf(root, subscriberId);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const at = new Date().toISOString();
  const id = `${at.replace(/\D/g, '')}-${randomUUID().slice(0, 8)}`;
  await writeFile(path.join(folder, `${id}.json`), JSON.stringify({ ...mail, id, at } satisfies KeptMail), {
    mode: 0o600,
  });
}

/** The newest kept messages of a subscriber. */
export async function listKeptMail(root: string, subscriberId: string, limit = 100): Promise<KeptMail[]> {
  const folder = folderOf(root, subscriberId);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const newest = names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse()
    .slice(0, limit);
  return Promise.all(
    newest.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8')) as KeptMail),
  );
}

/** Removes kept messages as `listKeptMail` gave them; those that are gone already are passed over. */
export async function removeKeptMail(root: string, subscriberId: string, mails: readonly KeptMail[]): Promise<void> {
  const folder = folderOf(root, subscriberId);
  await Promise.all(mails.map(({ id }) => rm(path.join(folder, `${path.basename(id)}.json`), { force: true })));
}
