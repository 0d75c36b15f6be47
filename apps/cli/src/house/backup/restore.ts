import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { includedFiles, keyName, type Manifest, placeOf, readBackup } from '@pdf2press/engine/backup';
import type { HouseEnv } from '@pdf2press/engine/env';
import { openInstanceKeys } from '@pdf2press/engine/secrets';
import { BackupError, demandLoadable, demandUnused, loadDatabase } from '@pdf2press/prisma/backup';
import { openStorage } from '@pdf2press/storage';
import { parsed } from '../../commands/arguments.ts';
import { UsageError } from '../../commands/file-work.ts';
import { readStartEnv } from '../house-env.ts';
import { clusterOf, tellingErrors, withDatabase } from './with-database.ts';

const usage = 'usage: pdf2press restore SOURCE [--check]';

/**
 * `pdf2press restore`: fills an empty installation from a backup, after reading all of it; `--check` does only that. What
 * fails leaves the installation as empty as it was.
 */
export const restore = (args: string[]): Promise<number> =>
  tellingErrors(async () => {
    const { values, positionals } = parsed(usage, () =>
      parseArgs({ args, allowPositionals: true, options: { check: { type: 'boolean' } } }),
    );
    const [source, ...others] = positionals;
    if (source === undefined || others.length > 0) throw new UsageError(usage);
    const folder = path.resolve(source);
    const manifest = await readBackup(folder);
    demandLoadable(manifest.database);
    if (values.check) {
      console.log(`The backup of ${manifest.takenAt} is complete and as it was written.`);
      return 0;
    }
    await fillInstallation(readStartEnv(), folder, manifest);
    console.log(
      `The backup of ${manifest.takenAt} is restored: ${manifest.files.count} files and every row. Start pdf2press.`,
    );
    if (!manifest.files.areIncluded) console.log('It holds no files: restore the store by its own means before that.');
    if (manifest.files.missing.length > 0)
      console.log(`${manifest.files.missing.length} files were gone from the store when it was made.`);
    return 0;
  });

const appName = 'restore';

/** What a restore makes in the data folder. */
const madeIn = (env: HouseEnv) => [clusterOf(env), path.join(env.dataDir, 'blobs'), path.join(env.dataDir, keyName)];

const isUnused = (file: string) =>
  !existsSync(file) || (path.basename(file) === 'blobs' && readdirSync(file).length === 0);

async function fillInstallation(env: HouseEnv, folder: string, manifest: Manifest): Promise<void> {
  await demandKeyFits(env, manifest);
  const used = madeIn(env).find((file) => !isUnused(file));
  if (used) throw new BackupError(`The data folder is not empty: there is ${used}. Restore into a new, empty one.`);
  if (env.databaseUrl) await demandUnused(env.databaseUrl);
  try {
    await mkdir(env.dataDir, { recursive: true });
    await withDatabase(env, { isNew: true }, async (url) => {
      const storage = openStorage(env, appName);
      for await (const one of includedFiles(folder, manifest)) {
        const bytes = createReadStream(path.join(folder, placeOf(one)));
        const { sha256 } = await storage.put({ subscriberId: one.subscriberId, bytes });
        if (sha256 !== one.sha256) throw new BackupError(`${placeOf(one)} changed while it was restored.`);
      }
      if (manifest.key.part) await copyFile(path.join(folder, keyName), path.join(env.dataDir, keyName));
      // Last, in one transaction: an installation with rows has all of its files.
      await loadDatabase(url, folder, manifest.database);
    });
  } catch (error) {
    for (const file of madeIn(env)) await rm(file, { recursive: true, force: true });
    throw error;
  } finally {
    // Where the store is a bucket, this machine's copies of what was put there.
    await rm(path.join(env.dataDir, 'cache', appName), { recursive: true, force: true });
  }
}

/** @throws BackupError where the installation would use another key than the one that the secrets are sealed with */
async function demandKeyFits({ dataDir, secretKey }: HouseEnv, { key }: Manifest): Promise<void> {
  if (!secretKey && !key.part)
    throw new BackupError(
      'The key is not in the backup. Set PDF2PRESS_SECRET_KEY to that of the installation it is of.',
    );
  if (secretKey && (await openInstanceKeys({ dataDir, secretKey })).wrappingKeyId !== key.id)
    throw new BackupError('PDF2PRESS_SECRET_KEY is not the key of the installation that the backup is of.');
}
