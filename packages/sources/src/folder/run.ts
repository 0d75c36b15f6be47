import { createReadStream } from 'node:fs';
import { lstat, mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import type { FoundItem, Poller } from '../source.ts';
import type { folderContract } from './contract.ts';

type Settings = z.output<typeof folderContract.settings>;

const settledFolders = { accepted: 'processed', rejected: 'rejected' } as const;
const emptyPatienceMs = 5 * 60_000;

/** `*` stands for anything; case does not matter, because it does not on the machines that fill the folder. */
const matches = (name: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => {
    const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`, 'i').test(name);
  });

/** The folder's real path, made on first use; one that leads out of the root is refused. */
async function openFolder(root: string, wanted: string): Promise<string> {
  await mkdir(root, { recursive: true });
  const base = await realpath(root);
  const folder = path.resolve(base, wanted);
  const isInside = (at: string) => at === base || at.startsWith(base + path.sep);
  if (!isInside(folder)) throw new Error('the folder lies outside of the folder for hot folders');
  await mkdir(folder, { recursive: true });
  const real = await realpath(folder);
  if (!isInside(real)) throw new Error('the folder leads out of the folder for hot folders');
  return real;
}

async function filesIn(folder: string, { hasSubfolders, include, exclude }: Settings): Promise<string[]> {
  const aside = Object.values(settledFolders) as string[];
  const entries = await readdir(folder, { recursive: hasSubfolders, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && matches(entry.name, include) && !matches(entry.name, exclude))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !aside.includes(name.split(path.sep)[0] ?? ''));
}

/** A free name in `folder`: never writes over what is there. */
async function freeName(folder: string, name: string): Promise<string> {
  const { name: stem, ext } = path.parse(name);
  for (let no = 1; ; no += 1) {
    const candidate = path.join(folder, no === 1 ? name : `${stem} (${no})${ext}`);
    const isTaken = await lstat(candidate).then(
      () => true,
      () => false,
    );
    if (!isTaken) return candidate;
  }
}

interface Look {
  state: string;
  since: number;
}

export const pollFolder: Poller<Settings> = async function* (settings, { root, memory, now }) {
  const folder = await openFolder(root, settings.path);
  const names = await filesIn(folder, settings);
  for (const known of memory.keys()) if (!names.includes(known)) memory.delete(known);
  for (const name of names) {
    const file = path.join(folder, name);
    const stat = await lstat(file).catch(() => undefined);
    if (!stat?.isFile()) continue;
    const state = `${stat.size} ${stat.mtimeMs} ${stat.ino}`;
    const seen = memory.get(name) as Look | undefined;
    if (seen?.state !== state) memory.set(name, { state, since: now() } satisfies Look);
    const quietFor = seen?.state === state ? now() - seen.since : 0;
    if (quietFor < (stat.size === 0 ? emptyPatienceMs : settings.stableSeconds * 1000)) continue;
    yield {
      key: `${settings.path}/${name.split(path.sep).join('/')} ${state}`,
      name: path.basename(name),
      size: stat.size,
      sourceName: path.join(settings.path, path.dirname(name)),
      open: () => createReadStream(file, { highWaterMark: 1024 * 1024 }),
      settle: async (outcome, reason) => {
        memory.delete(name);
        if (outcome === 'accepted' && settings.after === 'leave') return;
        if (outcome === 'accepted' && settings.after === 'delete') return rm(file, { force: true });
        const target = path.join(folder, settledFolders[outcome]);
        await mkdir(target, { recursive: true });
        const place = await freeName(target, path.basename(name));
        await rename(file, place);
        if (reason) await writeFile(`${place}.txt`, `${reason}\n`);
      },
    } satisfies FoundItem;
  }
};
