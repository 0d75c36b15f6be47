import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { BackupRun, KeptBackup } from '@pdf2press/contract';
import { noteBackup } from '../alarms/of-house.ts';
import type { EngineDeps } from '../deps.ts';
import { repeat } from '../worker/repeat.ts';
import { manifestName, sizeOf } from './manifest.ts';
import { backupFolder, claimRun, dueSlot, endRun, noteAlive, noteKept, readBackupState } from './schedule.ts';
import { type BackupSource, type TakenBackup, takeBackup } from './take-backup.ts';

/** Only folders of this name are ever removed. */
const ownName = /^pdf2press-\d{4}-\d{2}-\d{2}T\d{6}Z$/;
const nameAt = (at: Date): string => `pdf2press-${at.toISOString().slice(0, 19).replaceAll(':', '')}Z`;

const unusable = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST']);

function faultOf(error: unknown, folder: string): NonNullable<BackupRun['fault']> {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return { code: 'backup.noRoom', params: { folder } };
  if (unusable.has(code)) return { code: 'backup.folderUnusable', params: { folder } };
  return { code: 'backup.broken', params: { reason: error instanceof Error ? error.message.slice(0, 300) : '' } };
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

/** Removes the oldest beyond the number to keep, and what runs that were broken off have left. */
async function prune(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => ownName.test(name)).sort();
  const whole: string[] = [];
  for (const name of names) {
    if (await exists(path.join(folder, name, manifestName))) whole.push(name);
    else await rm(path.join(folder, name), { recursive: true, force: true });
  }
  for (const name of whole.slice(0, Math.max(0, whole.length - keep)))
    await rm(path.join(folder, name), { recursive: true, force: true });
}

/** Those of the listed ones that are still there. */
async function present(folder: string, kept: readonly KeptBackup[]): Promise<KeptBackup[]> {
  const found: KeptBackup[] = [];
  for (const one of kept) if (await exists(path.join(folder, one.name, manifestName))) found.push(one);
  return found;
}

const keptOf = (name: string, { manifest }: TakenBackup): KeptBackup => ({
  name,
  takenAt: manifest.takenAt,
  checkedAt: new Date().toISOString(),
  size: sizeOf(manifest),
  fileCount: manifest.files.count,
  areFilesIncluded: manifest.files.areIncluded,
});

/** How often a run tells that it goes on, milliseconds; well below the time after which it counts as broken off. */
const alivePeriod = 60_000;

/**
 * Makes the backup that is due, if one is and no other worker makes it: writes it, reads it back, and only then removes the
 * oldest beyond those to keep. The administrators are told when it failed.
 * @returns whether one was made or tried
 */
export async function runDueBackup(deps: EngineDeps, source: BackupSource, now = new Date()): Promise<boolean> {
  const { database, log } = deps;
  const state = await database.asHost(readBackupState);
  const slot = dueSlot(state, now);
  if (slot === null || !(await database.asHost((tx) => claimRun(tx, slot)))) return false;
  const { keep, areFilesIncluded } = state.schedule;
  const folder = backupFolder(state.schedule, source.env.dataDir);
  const name = nameAt(now);
  const end = (isGood: boolean, fault: BackupRun['fault'], kept?: readonly KeptBackup[]) =>
    database.asHost(async (tx) => {
      if (kept) await noteKept(tx, kept);
      await endRun(tx, slot, fault);
      await noteBackup(tx, { isGood });
    });
  const alive = setInterval(() => {
    database
      .asHost((tx) => noteAlive(tx, slot))
      .catch((error: unknown) => log?.({ level: 'warn', event: 'backup.alive', error }));
  }, alivePeriod);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const taken = await takeBackup(source, path.join(folder, name), { areFilesIncluded });
    await prune(folder, keep);
    const kept = await present(folder, [keptOf(name, taken), ...state.kept.filter((one) => one.name !== name)]);
    const lost = taken.lost.length;
    await end(lost === 0, lost === 0 ? null : { code: 'backup.filesLost', params: { count: lost } }, kept);
    log?.({ level: 'info', event: 'backup.done', data: { name, lost } });
  } catch (error) {
    log?.({ level: 'error', event: 'backup.failed', data: { name }, error });
    await end(false, faultOf(error, folder));
  } finally {
    clearInterval(alive);
  }
  return true;
}

const lookPeriod = 30_000;

/**
 * Looks for due backups as long as the worker runs. A run that is broken off is made again by whichever worker looks next, and
 * leaves a folder that the good one removes.
 */
export function startScheduledBackups(deps: EngineDeps, source: BackupSource): { stop(): Promise<void> } {
  const failed = (error: unknown) => deps.log?.({ level: 'warn', event: 'backup.schedule', error });
  let isBusy = false;
  const look = async () => {
    if (isBusy) return;
    isBusy = true;
    // Not waited for: a worker that stops does not wait for a backup.
    runDueBackup(deps, source)
      .catch(failed)
      .finally(() => {
        isBusy = false;
      });
  };
  return repeat(look, lookPeriod, failed);
}
