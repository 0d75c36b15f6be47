/* Intake as its own process, for tests that kill it. It polls shelves, mailboxes, cloud folders and folders of other servers. */
import { readEnv } from '@pdf2press/engine/env';
import { openInstanceKeys } from '@pdf2press/engine/secrets';
import { createDatabase } from '@pdf2press/prisma';
import { type PolledSource, polledSources } from '@pdf2press/sources/runners';
import { openDiskStorage } from '@pdf2press/storage';
import pino from 'pino';
import { cloudFolders } from '../cloud-folders.ts';
import { defaultTiming, type IntakeDeps, type IntakeTiming } from '../deps.ts';
import { mailboxes } from '../mailboxes.ts';
import { namedSources } from '../named-sources.ts';
import { runIntake } from '../run-intake.ts';
import { shelf } from './shelf.ts';

export interface IntakeJob {
  timing: Partial<IntakeTiming>;
  /** Mailboxes and cloud folders are polled as seldom as in a house (`REMOTE_POLL_SECONDS`). */
  isUnhurried?: boolean;
}

const job: IntakeJob = JSON.parse(process.env.JOB ?? '{}');

/** Looked into as often as a test needs it. */
function hasty(source: PolledSource | undefined): PolledSource {
  if (!source) throw new Error('unknown kind');
  return { ...source, contract: { ...source.contract, isRemote: job.isUnhurried === true, limitSeconds: 5 } };
}

const env = readEnv();
const db = createDatabase(env.databaseUrl, { connections: 6, patience: 30_000 });
const deps: IntakeDeps = {
  env,
  db,
  log: pino({ level: 'debug' }),
  engine: { database: db, storage: openDiskStorage({ folder: env.dataDir }) },
  keys: await openInstanceKeys(env),
  sources: new Map([
    ['shelf', shelf],
    ['email', hasty(polledSources.get('email'))],
    ['cloud', hasty(polledSources.get('cloud'))],
    ['sftp', hasty(polledSources.get('sftp'))],
  ]),
  timing: { ...defaultTiming, ...job.timing },
};
const stopping = new AbortController();
process.on('SIGTERM', () => stopping.abort());
deps.log.info('intake.started');
const lists = [namedSources, mailboxes, cloudFolders].map((list) => () => list(deps));
await runIntake(deps, lists, stopping.signal);
await db.close();
