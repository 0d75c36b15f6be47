import path from 'node:path';
import { parseArgs } from 'node:util';
import { noteBackup } from '@pdf2press/engine';
import { type Manifest, takeBackup } from '@pdf2press/engine/backup';
import type { HouseEnv } from '@pdf2press/engine/env';
import { createDatabase } from '@pdf2press/prisma';
import { parsed } from '../../commands/arguments.ts';
import { UsageError } from '../../commands/file-work.ts';
import { readStartEnv } from '../house-env.ts';
import { tellingErrors, withDatabase } from './with-database.ts';

const usage = 'usage: pdf2press backup TARGET [--without-files]';

/**
 * `pdf2press backup`: copies database, stored files and the instance's key to a new folder, also while the product runs,
 * and reads everything back. Exit code 1 also where the store had lost files already; the rest is in the backup then.
 */
export const backup = (args: string[]): Promise<number> =>
  tellingErrors(async () => {
    const { values, positionals } = parsed(usage, () =>
      parseArgs({ args, allowPositionals: true, options: { 'without-files': { type: 'boolean' } } }),
    );
    const [target, ...others] = positionals;
    if (target === undefined || others.length > 0) throw new UsageError(usage);
    const env = readStartEnv();
    const folder = path.resolve(target);
    const areFilesIncluded = !values['without-files'];
    const { lost, manifest } = await noted(env, () =>
      withDatabase(env, { isNew: false }, (url) => takeBackup({ url, env }, folder, { areFilesIncluded })),
    );
    console.log(sentenceOf(folder, manifest));
    for (const sha256 of lost.slice(0, 10)) console.error(`Missing or damaged in the store: ${sha256}`);
    if (lost.length > 0)
      console.error(`The backup is complete except for ${lost.length} files that the store itself has lost.`);
    return lost.length > 0 ? 1 : 0;
  });

/** Notes in the installation how the backup ended: its administrators are told when it failed, and when the next is late. */
async function noted<T extends { lost: readonly string[] }>(env: HouseEnv, work: () => Promise<T>): Promise<T> {
  const note = (isGood: boolean) =>
    withDatabase(env, { isNew: false }, async (url) => {
      const database = createDatabase(url, { connections: 1 });
      try {
        await database.asHost((tx) => noteBackup(tx, { isGood }));
      } finally {
        await database.close();
      }
    });
  let taken: T;
  try {
    taken = await work();
  } catch (error) {
    // What the backup failed of is told; a database that cannot be written to either changes nothing about that.
    await note(false).catch((notNoted: unknown) => {
      console.error(`This could not be noted: ${notNoted instanceof Error ? notNoted.message : String(notNoted)}`);
    });
    throw error;
  }
  await note(taken.lost.length === 0);
  return taken;
}

const bytesTold = (bytes: number) =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

function sentenceOf(folder: string, { database, files, key }: Manifest): string {
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  const broken = Object.values(database.breaks).some((count) => count > 0);
  return [
    `${folder} holds ${rows} rows of ${database.tables.length} tables and ${files.areIncluded ? `${files.count} files (${bytesTold(files.size)})` : 'no files'}; it was read back and is as it was written.`,
    files.areIncluded ? '' : 'Back up the store of the files by its own means, after this.',
    key.part
      ? 'The key is in it, so whoever reads it can read the stored secrets: keep it as safe as the installation.'
      : 'The key is not in it: keep PDF2PRESS_SECRET_KEY apart, without it the stored secrets are lost.',
    broken ? 'The audit or the decisions were changed before this backup: their chain is broken.' : '',
  ]
    .filter(Boolean)
    .join('\n');
}
