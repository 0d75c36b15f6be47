import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNight } from '@pdf2press/config/by-day';
import { type FileType, workflowDefinitionSchema } from '@pdf2press/contract';
import { connectionSecretPurpose } from '@pdf2press/engine';
import { keepSecret, openInstanceKeys } from '@pdf2press/engine/secrets';
import { createDatabase, type Database, newId, type Transaction } from '@pdf2press/prisma';
import type { TestSshd } from '@pdf2press/sftp/testing';
import { cloudSettingsSchema, mailboxSettingsSchema, sftpServerSchema } from '@pdf2press/sources/contracts';
import type { CloudServer } from '@pdf2press/sources/testing-cloud';
import type { IntakeJob } from './intake-process.ts';

/** What `bundle-intake.ts` makes of the compiled program. */
const entry = fileURLToPath(new URL('../../dist/testing/bundle/intake-process.js', import.meta.url));

export interface IntakeProcess {
  child: ChildProcess;
  output(): string;
  /** Resolves to the signal or exit code. */
  ended: Promise<string>;
}

type InletRow = Awaited<ReturnType<Transaction['inlet']['findFirst']>>;

/** An installation with test sources ("shelves"): real Postgres, disk and processes. */
export interface House {
  database: Database;
  subscriberId: string;
  password: string;
  /** Adds a workflow that names a new, empty shelf. */
  addShelf(name: string): Promise<{ workflowId: string }>;
  /**
   * Adds a workflow with a mailbox of this user on a server of this machine; both take these types of files, where they are named.
   * Resolves to the mailbox's id.
   */
  addMailbox(
    server: { port: number; password: string },
    user: string,
    types?: { fileTypes: readonly FileType[] },
  ): Promise<string>;
  /** Adds a workflow with a folder of a cloud service of this machine. Resolves to the id of the cloud storage. */
  addCloudFolder(server: CloudServer, folderId: string, refreshToken: string): Promise<string>;
  /** Adds a workflow with a folder of a server of SFTP of this machine. Resolves to the id of the server. */
  addSftpFolder(server: TestSshd, folder: string, settings?: object): Promise<string>;
  /** Bytes of files that are being received. */
  spooled(): number;
  /** It is whole at the moment that it is there. */
  put(shelf: string, name: string, content?: string | Buffer): void;
  remove(shelf: string, name: string): void;
  /** Names of the files of all sessions, sorted. */
  taken(): Promise<string[]>;
  inlet(shelf: string): Promise<InletRow>;
  /** The lines of `polls.log` or `settled.log`, which the shelves write. */
  lines(log: 'polls' | 'settled'): string[];
  /**
   * `spoolBytes`: the disk that files are received on has so much room and no more; needs namespaces. `pollSeconds`: time
   * between two looks, each of which is a connection of its own and costs more than the waiting.
   */
  start(
    options?: Partial<IntakeJob> & { failpoints?: string; spoolBytes?: number; pollSeconds?: number },
  ): IntakeProcess;
  close(): Promise<void>;
}

/**
 * Opens an installation in a database that earlier tests used; their workflows are disabled.
 * @param dataDir where other programs of the same installation keep files and keys; it is removed at the end
 */
export async function openHouse(
  url: string,
  dataDir: string = mkdtempSync(path.join(os.tmpdir(), 'pdf2press-intake-')),
): Promise<House> {
  const root = path.join(dataDir, 'hot');
  mkdirSync(root);
  const keys = await openInstanceKeys({ dataDir });
  const database = createDatabase(url, { patience: 100_000 });
  const subscriberId = newId('subscriber');
  const connectionId = newId('profile');
  const password = randomBytes(12).toString('hex');
  await database.asHost((tx) => tx.subscriber.create({ data: { id: subscriberId, name: 'Print house' } }));
  await database.withSubscriber({ subscriberId }, async (tx) => {
    const text = JSON.stringify({ password });
    const secretId = await keepSecret(tx, keys, { subscriberId, purpose: connectionSecretPurpose, text });
    await tx.profile.create({ data: { id: connectionId, kind: 'cloudStorage', name: 'Shelves' } });
    const settings = { user: 'anna', secretId };
    await tx.profileVersion.create({ data: { id: newId('profileVersion'), profileId: connectionId, no: 1, settings } });
  });
  const started: IntakeProcess[] = [];
  const cloudEnv: Record<string, string> = {};
  /** What an intake may connect to, besides mail servers. */
  const hosts = new Set(['127.0.0.1']);

  /** Adds a published workflow that looks into these places. */
  async function addWorkflow(name: string, sources: readonly object[], inject: object = {}): Promise<string> {
    const workflowId = newId('workflow');
    const definition = workflowDefinitionSchema.parse({
      steps: [
        { id: 'inject', kind: 'Inject', settings: { ...inject, sources } },
        { id: 'complete', kind: 'Complete' },
      ],
      edges: [{ id: 'e', from: 'inject', outcome: 'done', to: 'complete' }],
    }) as object;
    await database.withSubscriber({ subscriberId }, async (tx) => {
      await tx.workflow.create({ data: { id: workflowId, name, draft: {}, publishedNo: 1 } });
      const version = { id: newId('workflowVersion'), workflowId, no: 1, definition, profiles: {}, hash: '' };
      await tx.workflowVersion.create({ data: version });
    });
    return workflowId;
  }

  return {
    database,
    subscriberId,
    password,
    addShelf: async (name) => {
      mkdirSync(path.join(root, name), { recursive: true });
      const workflowId = await addWorkflow(name, [{ kind: 'shelf', settings: { path: name, connectionId } }]);
      return { workflowId };
    },
    addMailbox: async ({ port, password: mailPassword }, username, types) => {
      const workflowId = await addWorkflow(`Mails of ${username}`, [], types);
      const profileId = newId('profile');
      await database.withSubscriber({ subscriberId }, async (tx) => {
        await tx.feature.createMany({ data: [{ featureKey: 'EmailInjection' }], skipDuplicates: true });
        const text = JSON.stringify({ password: mailPassword });
        const secretId = await keepSecret(tx, keys, { subscriberId, purpose: connectionSecretPurpose, text });
        const given = { host: '127.0.0.1', port, security: 'none', username, workflowId, startWith: 'all', ...types };
        const settings = { ...mailboxSettingsSchema.parse(given), secretId };
        await tx.profile.create({ data: { id: profileId, kind: 'inboundEmail', name: username } });
        await tx.profileVersion.create({ data: { id: newId('profileVersion'), profileId, no: 1, settings } });
      });
      return profileId;
    },
    addCloudFolder: async (server, folderId, refreshToken) => {
      const workflowId = await addWorkflow(`Files of ${server.provider}`, []);
      const profileId = newId('profile');
      const vendor = server.provider === 'GoogleDrive' ? 'GOOGLE' : 'MICROSOFT';
      Object.assign(cloudEnv, {
        [`${vendor}_CLIENT_ID`]: server.clientId,
        [`${vendor}_CLIENT_SECRET`]: server.clientSecret,
        [`${vendor}_ENDPOINT`]: server.address,
      });
      hosts.add(server.address);
      await database.withSubscriber({ subscriberId }, async (tx) => {
        await tx.feature.createMany({ data: [{ featureKey: 'CloudInjection' }], skipDuplicates: true });
        const text = JSON.stringify({ refreshToken, mayWrite: true });
        const secretId = await keepSecret(tx, keys, { subscriberId, purpose: connectionSecretPurpose, text });
        const folders = [{ folderId, path: 'Orders', workflowId }];
        const given = cloudSettingsSchema.parse({ provider: server.provider, stableSeconds: 0, folders });
        const settings = { ...given, secretId };
        await tx.profile.create({ data: { id: profileId, kind: 'cloudStorage', name: server.provider } });
        await tx.profileVersion.create({ data: { id: newId('profileVersion'), profileId, no: 1, settings } });
      });
      return profileId;
    },
    addSftpFolder: async ({ host, port, username, hostKey, privateKey }, folder, settings = {}) => {
      const profileId = newId('profile');
      await database.withSubscriber({ subscriberId }, async (tx) => {
        const text = JSON.stringify({ password: '', privateKey, passphrase: '' });
        const secretId = await keepSecret(tx, keys, { subscriberId, purpose: connectionSecretPurpose, text });
        const given = {
          ...sftpServerSchema.parse({ host, port, username, hostKey, path: path.dirname(folder) }),
          secretId,
        };
        await tx.profile.create({ data: { id: profileId, kind: 'sftpServer', name: 'Server' } });
        const version = { id: newId('profileVersion'), profileId, no: 1, settings: given };
        await tx.profileVersion.create({ data: version });
      });
      const named = { connectionId: profileId, path: path.basename(folder), stableSeconds: 1, ...settings };
      await addWorkflow('Files of a server', [{ kind: 'sftp', settings: named }]);
      hosts.add(`127.0.0.1:${port}`);
      return profileId;
    },
    spooled: () => {
      const folder = path.join(dataDir, 'tmp');
      if (!existsSync(folder)) return 0;
      const sizes = readdirSync(folder).map(
        (name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size,
      );
      return sizes.reduce<number>((sum, size = 0) => sum + size, 0);
    },
    put: (shelf, name, content = `%PDF-1.4 ${name}`) => {
      writeFileSync(path.join(root, `.${name}`), content);
      renameSync(path.join(root, `.${name}`), path.join(root, shelf, name));
    },
    remove: (shelf, name) => rmSync(path.join(root, shelf, name)),
    taken: () =>
      database.withSubscriber({ subscriberId }, async (tx) => {
        const rows = await tx.session.findMany({ select: { fileName: true }, orderBy: { fileName: 'asc' } });
        return rows.map(({ fileName }) => fileName);
      }),
    inlet: (place) => database.withSubscriber({ subscriberId }, (tx) => tx.inlet.findFirst({ where: { place } })),
    lines: (log) => {
      const file = path.join(root, `${log}.log`);
      return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    },
    start: ({ failpoints = '', timing = {}, isUnhurried = false, spoolBytes, pollSeconds = 0.25 } = {}) => {
      // As the house starts it: docker-compose.yml and apps/cli/src/house/stack.ts.
      const program = [process.execPath, '--heap-growing-percent=25', '--max-semi-space-size=4', entry];
      const mount = `mkdir -p "$DATA_DIR/tmp" && mount -t tmpfs -o size=${spoolBytes} none "$DATA_DIR/tmp" && exec "$0" "$@"`;
      const [command = '', ...more] =
        spoolBytes === undefined ? program : ['unshare', '-rm', 'sh', '-c', mount, ...program];
      const child = spawn(command, more, {
        env: {
          PATH: process.env.PATH,
          NODE_ENV: 'test',
          DATABASE_URL: url,
          DATA_DIR: dataDir,
          HOT_FOLDER_POLL_SECONDS: String(pollSeconds),
          OUTBOUND_ALLOWED_HOSTS: [...hosts].join(','),
          ...cloudEnv,
          REMOTE_POLL_SECONDS: '600',
          JOB: JSON.stringify({
            timing: { lease: 1_500, heartbeat: 300, ...timing },
            isUnhurried,
          } satisfies IntakeJob),
          PDF2PRESS_FAILPOINTS: failpoints,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
      const ended = new Promise<string>((resolve) => {
        child.once('exit', (code, signal) => resolve(signal ?? String(code)));
      });
      const one = { child, output: () => text, ended };
      started.push(one);
      return one;
    },
    close: async () => {
      for (const { child } of started) child.kill('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
      await database.asHost((tx) =>
        tx.subscriber.update({ where: { id: subscriberId }, data: { isActive: false }, select: { id: true } }),
      );
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Where an intake dies between the bytes of a file and its cursor. Every source takes this way: by day run-intake.test.ts
 * tries one of them, at night it tries all, and so do the tests of the sources.
 */
const places = ['afterSpool', 'beforeStartCommit', 'afterStartCommit', 'beforeCursor', 'afterCursor'] as const;
export const deaths: readonly (typeof places)[number][] = isNight ? places : ['afterStartCommit'];
export const deathsOfSource: typeof deaths = isNight ? places : [];

/** Whether `spoolBytes` can be used: a disk of a given size needs a mount, and a mount without root needs namespaces. */
export const mayMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', os.tmpdir()]).status === 0;

/** A file that a disk of `smallDisk` bytes has no room for. */
export const smallDisk = 1_000_000;
export const largeFile = (): Buffer => Buffer.concat([Buffer.from('%PDF-1.4 '), randomBytes(2 * smallDisk)]);

/** Files that wait because of a failure are tried at once, as if their time had come. */
export const hurry = ({ database, subscriberId }: House): Promise<number> =>
  database.withSubscriber(
    { subscriberId },
    (tx) => tx.$executeRaw`update ingest_items set next_at = clock_timestamp() where state = 'Retry'`,
  );
