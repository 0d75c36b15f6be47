import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isNight } from '@pdf2press/config/by-day';
import { seeded } from '@pdf2press/config/seeded';
import { cloudProviders, type SessionSource } from '@pdf2press/contract';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { hasSshd, startTestSshd } from '@pdf2press/sftp/testing';
import { hasDovecot, startDovecot } from '@pdf2press/sources/testing';
import { type CloudServer, startCloudServer } from '@pdf2press/sources/testing-cloud';
import { openDiskStorage } from '@pdf2press/storage';
import { expect, test } from 'vitest';
import { openDoors, startApi, startWorker, waysOfApi } from './testing/api-process.ts';
import { contentOf } from './testing/content.ts';
import { startFileServer } from './testing/file-server.ts';
import { openHouse } from './testing/house.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Of a run, for docs/reliability.md. */
    figures?: Record<string, number>;
  }
}

const items = isNight ? 500 : 24;
const leastFaults = isNight ? 20 : 2;
/** A run with the faults of an earlier one: `CHAOS_SEED=… npm run night -- --project intake chaos`. */
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);

/** What a cloud service does in place of the true answer to the next question that it fits. */
const cloudFaults: readonly ((cloud: CloudServer, count: () => void) => void)[] = [
  (cloud, count) =>
    cloud.failNext(() => {
      count();
      return { status: 429, headers: { 'retry-after': '1' }, body: {} };
    }, 2),
  (cloud, count) =>
    cloud.failNext(() => {
      count();
      return { status: 503, body: {} };
    }, 2),
  // The bytes of a file break off in their middle, wherever they were asked from.
  (cloud, count) =>
    cloud.failNext(({ url, headers }) => {
      const isOfBytes = url.searchParams.get('alt') === 'media' || url.pathname.startsWith('/download/');
      const content = isOfBytes && cloud.world.entries.get(url.pathname.split('/').at(-1) ?? '')?.content;
      if (!content || headers.range !== undefined) return undefined;
      count();
      return { status: 200, body: content, cutAfter: Math.floor(content.length / 2) };
    }),
  // Tokens run out, and the list of changes begins anew.
  (cloud, count) => {
    count();
    cloud.endAccess();
  },
  (cloud, count) => {
    count();
    cloud.forgetCursors();
  },
];

test.runIf(hasDovecot && hasSshd)(
  `${items} files come by all sources at once while something fails every few seconds: each is one session with its bytes (seed ${seed})`,
  { timeout: 20 * 60_000 },
  async ({ task }) => {
    const random = seeded(seed);
    const base = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-chaos-'));
    const postgres = await startTestPostgres();
    const mailServer = await startDovecot();
    const sshd = await startTestSshd(path.join(base, 'ssh'));
    const clouds = await Promise.all(cloudProviders.map((provider) => startCloudServer(provider)));
    const dataDir = path.join(base, 'data');
    // The first program of an installation makes its first company.
    const files = await startFileServer();
    const env = { DATABASE_URL: postgres.migratedUrl, DATA_DIR: dataDir, OUTBOUND_ALLOWED_HOSTS: files.origin };
    const api = await startApi(env);
    const house = await openHouse(postgres.migratedUrl, dataDir);
    const worker = startWorker(env);
    try {
      const remote = path.join(base, 'orders');
      await mkdir(remote);
      await house.addShelf('desk');
      await house.addMailbox(mailServer, 'orders');
      await house.addSftpFolder(sshd, remote);
      const folders = await Promise.all(
        clouds.map(async (cloud) => {
          const folder = cloud.world.addFolder('Orders');
          await house.addCloudFolder(cloud, folder, cloud.grant());
          return (name: string) => void cloud.world.addFile(name, contentOf(name), folder);
        }),
      );
      // Each sends its files one after the other; nobody else waits for them.
      const senders: Promise<unknown>[] = Array.from({ length: 12 }, () => Promise.resolve());
      const ways: { send: (name: string) => unknown; source: SessionSource }[] = [
        { source: 'CloudFolder', send: (name) => house.put('desk', name, contentOf(name)) },
        {
          source: 'Email',
          send: (name) => mailServer.put('orders', { attachments: [{ name, content: contentOf(name) }] }),
        },
        { source: 'CloudFolder', send: (name) => writeFile(path.join(remote, name), contentOf(name)) },
        ...folders.map((send) => ({ source: 'CloudFolder' as const, send })),
        ...waysOfApi(api, await openDoors(api), files).map(({ source, send }, way) => ({
          source,
          send: (name: string) => {
            const at = (Number(/\d+/.exec(name)?.[0]) + way) % senders.length;
            senders[at] = (senders[at] ?? Promise.resolve()).then(() => send(name));
          },
        })),
      ];
      let broken = 0;
      const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
      const intakes = [house.start(), house.start()];
      const again = async (which: number) => {
        const old = intakes[which];
        old?.child.kill('SIGKILL');
        await old?.ended;
        intakes[which] = house.start();
      };
      const faults: (() => Promise<unknown>)[] = [
        () => again(0),
        () => again(1),
        () => Promise.all([again(0), again(1)]),
        () => postgres.restart(),
        () => sshd.breakConnections(),
        () => api.again(),
        () => worker.again(),
        async () => files.breakNext(random() < 0.5 ? 'cut' : 'busy'),
        ...clouds.map((cloud) => async () => pick(cloudFaults)?.(cloud, () => (broken += 1))),
        async () => {
          api.child().kill('SIGSTOP');
          await pause(3_000);
          api.child().kill('SIGCONT');
        },
        async () => {
          mailServer.freeze();
          await pause(1_000 + 6_000 * random());
          mailServer.thaw();
        },
        async () => {
          const { child } = intakes[random() < 0.5 ? 0 : 1] ?? {};
          child?.kill('SIGSTOP');
          await pause(3_000);
          child?.kill('SIGCONT');
        },
      ];

      const names = Array.from({ length: items }, (_, no) => `item-${String(no).padStart(3, '0')}.pdf`);
      let isGiven = false;
      const giving = (async () => {
        for (const [no, name] of names.entries()) {
          // A mail server that stands still takes no mail: the sender's server tries again.
          await ways[no % ways.length]?.send(name);
          await pause(100 * random());
        }
        isGiven = true;
      })();
      let count = 0;
      const failing = (async () => {
        while (!isGiven || count < leastFaults) {
          await pause(1_000 + 3_000 * random());
          await pick(faults)?.();
          count += 1;
        }
      })();
      await Promise.all([giving, failing]);
      await Promise.all(senders);

      /** Of all companies: what comes by the API is that of its own. A session that went on in another workflow is none of its own. */
      const taken = async () => {
        const where = { fileName: { startsWith: 'item-' }, status: { not: 'Rerouted' } } as const;
        const select = { fileName: true, source: true, subscriberId: true, files: true } as const;
        const rows = await house.database.asHost((tx) => tx.session.findMany({ where, select }));
        return rows.sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
      };
      await expect
        .poll(async () => (await taken().catch(() => [])).length, { timeout: 10 * 60_000, interval: 1_000 })
        .toBe(items);
      // Whatever would be taken twice is found again within some polls.
      await pause(isNight ? 10_000 : 2_000);
      const sessions = await taken();
      const known = new Set(sessions.map(({ fileName }) => fileName));
      const lost = names.filter((name) => !known.has(name)).length;
      // Each byte as it lies in the store, beside what was sent.
      const storage = openDiskStorage({ folder: dataDir });
      let differing = 0;
      for (const { fileName, subscriberId, files: held } of sessions) {
        const newest = held.filter(({ kind }) => kind === 'OriginalFile').sort((a, b) => b.runNo - a.runNo)[0];
        const sum = createHash('sha256');
        for await (const part of await storage.open({ subscriberId, sha256: newest?.sha256 ?? '' })) sum.update(part);
        if (sum.digest('hex') !== createHash('sha256').update(contentOf(fileName)).digest('hex')) differing += 1;
      }
      const twice = sessions.length - known.size;
      const brokenAnswers = broken + files.broken();
      task.meta.figures = { files: items, faults: count, brokenAnswers, lost, twice, differing, seed };
      expect(sessions.map(({ fileName }) => fileName)).toEqual(names);
      expect(sessions.map(({ source }) => source)).toEqual(names.map((_, no) => ways[no % ways.length]?.source));
      expect(differing).toBe(0);
      expect(count).toBeGreaterThanOrEqual(leastFaults);
    } finally {
      mailServer.thaw();
      await worker.close();
      await api.close();
      await house.close();
      await files.stop();
      await Promise.all(clouds.map((cloud) => cloud.stop()));
      await sshd.stop();
      await mailServer.stop();
      await postgres.stop();
      await rm(base, { recursive: true, force: true });
    }
  },
);
