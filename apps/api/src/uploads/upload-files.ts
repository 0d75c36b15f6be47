import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { deleteSession, findIdleDoorChecks, system } from '@pdf2press/engine';
import type { ApiDeps } from '../deps.ts';
import type { ActiveUploads } from './active-uploads.ts';

/** On the file system of the blobs, so that a finished upload is moved into place by a rename. */
const folderOf = (deps: ApiDeps) => path.join(deps.env.dataDir, 'uploads');
/** The name is the server's id, never anything that a client sent. */
export const pathOf = (deps: ApiDeps, id: string): string => path.join(folderOf(deps), id);

export async function createFile(deps: ApiDeps, id: string): Promise<void> {
  await mkdir(folderOf(deps), { recursive: true, mode: 0o700 });
  await (await open(pathOf(deps, id), 'wx', 0o644)).close();
}

export const removeFile = (deps: ApiDeps, id: string): Promise<void> => rm(pathOf(deps, id), { force: true });

/** Bytes on disk; undefined when the file is gone. */
export const sizeOnDisk = async (deps: ApiDeps, id: string): Promise<number | undefined> =>
  (await stat(pathOf(deps, id)).catch(() => undefined))?.size;

/** Removes what was made to check uploads before they were sent: with them, the store lets go of their bytes. */
async function removeIdleChecks(deps: ApiDeps): Promise<void> {
  for (const { id, subscriberId } of await findIdleDoorChecks(deps.engine))
    await deleteSession(deps.engine, { subscriberId }, { sessionId: id, by: system });
}

/** Removes idle uploads, those of visits that ended without submitting them, and files without a row. */
export async function sweepUploads(deps: ApiDeps, active: ActiveUploads): Promise<void> {
  const expired = await deps.db.asHost(
    (tx) => tx.$queryRaw<{ id: string }[]>`
      with ended as (delete from upload_visits where expires_at < clock_timestamp() returning id)
      update uploads set state = 'Expired'
       where state = 'Open' and (expires_at < clock_timestamp() or principal->>'id' in (select id from ended))
      returning id`,
  );
  for (const { id } of expired) {
    active.hashes.delete(id);
    await removeFile(deps, id);
  }
  await removeIdleChecks(deps);
  const names = await readdir(folderOf(deps)).catch(() => []);
  if (names.length === 0) return;
  const open = await deps.db.asHost((tx) =>
    tx.upload.findMany({ where: { id: { in: names }, state: 'Open' }, select: { id: true } }),
  );
  const known = new Set(open.map(({ id }) => id));
  for (const name of names.filter((candidate) => !known.has(candidate))) {
    const found = await stat(pathOf(deps, name)).catch(() => undefined);
    // A file is made before its row, so new files are left alone.
    if (found && Date.now() - found.mtimeMs > 3_600_000) await removeFile(deps, name);
  }
}
