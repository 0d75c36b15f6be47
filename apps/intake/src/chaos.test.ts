import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
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

/** What a run was and what came of it; `apps/cli/src/house/trust/faults.ts` has the words. */
interface ChaosFigures {
  figures: {
    /** Files that were sent, and sessions that were made of them. */
    files: number;
    sessions: number;
    lost: number;
    twice: number;
    /** Sessions whose bytes are not those that were sent, and all bytes that were compared. */
    differing: number;
    comparedBytes: number;
    /** Answers of services that faults have broken. */
    brokenAnswers: number;
    minutes: number;
    seed: number;
  };
  /** Files by the way that they came by. */
  ways: Record<string, number>;
  /** Faults by their kind. */
  faults: Record<string, number>;
}

declare module 'vitest' {
  interface TaskMeta {
    /** Of a run, for docs/reliability.md. */
    chaos?: ChaosFigures;
  }
}

const replaced: SessionSource = 'ReplacedFileAndRestartedWorkflow';

/** Another number of files: `CHAOS_FILES=…`. */
const items = Number(process.env.CHAOS_FILES ?? 500);
const leastFaults = 20;
/** Something fails until the last session has ended, but no more often than this: a run must come to an end. */
const mostFaults = 500;
/** Within this many milliseconds after the last file was handed out. */
const patience = 30 * 60_000;
/** A run with the faults of an earlier one: `CHAOS_SEED=… npm run night -- --project intake chaos`. */
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);

/** What a cloud service does in place of the true answer to the next question that it fits. */
const cloudFaults: Readonly<Record<string, (cloud: CloudServer, count: () => void) => void>> = {
  'cloud service asks to wait': (cloud, count) =>
    cloud.failNext(() => {
      count();
      return { status: 429, headers: { 'retry-after': '1' }, body: {} };
    }, 2),
  'cloud service is out of order': (cloud, count) =>
    cloud.failNext(() => {
      count();
      return { status: 503, body: {} };
    }, 2),
  // Wherever they were asked from.
  'cloud service breaks off in the middle of a file': (cloud, count) =>
    cloud.failNext(({ url, headers }) => {
      const isOfBytes = url.searchParams.get('alt') === 'media' || url.pathname.startsWith('/download/');
      const content = isOfBytes && cloud.world.entries.get(url.pathname.split('/').at(-1) ?? '')?.content;
      if (!content || headers.range !== undefined) return undefined;
      count();
      return { status: 200, body: content, cutAfter: Math.floor(content.length / 2) };
    }),
  'cloud service ends tokens': (cloud, count) => {
    count();
    cloud.endAccess();
  },
  // The list of changes begins anew.
  'cloud service forgets cursors': (cloud, count) => {
    count();
    cloud.forgetCursors();
  },
};

/** What fails, as the document calls it, and how. */
type Fault = [string, () => Promise<unknown>];

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

test.runIf(hasDovecot && hasSshd)(
  `${items} files come by all sources at once while something fails every few seconds: each is one session with its bytes (seed ${seed}) @night`,
  { timeout: 2 * patience },
  async ({ task }) => {
    const random = seeded(seed);
    const began = performance.now();
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
    const doors = await openDoors(api);
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
      const ofApi = waysOfApi(api, doors, files);
      const ways: { way: string; send: (name: string) => unknown; source: SessionSource }[] = [
        { way: 'hot folder', source: 'CloudFolder', send: (name) => house.put('desk', name, contentOf(name)) },
        {
          way: 'mailbox',
          source: 'Email',
          send: (name) => mailServer.put('orders', { attachments: [{ name, content: contentOf(name) }] }),
        },
        {
          way: 'SFTP folder',
          source: 'CloudFolder',
          send: (name) => writeFile(path.join(remote, name), contentOf(name)),
        },
        ...clouds.map(({ provider }, at) => ({
          way: provider,
          source: 'CloudFolder' as const,
          send: (name: string) => folders[at]?.(name),
        })),
        ...ofApi.map(({ way, source, send }, no) => ({
          way,
          source,
          send: (name: string) => {
            const at = (Number(/\d+/.exec(name)?.[0]) + no) % senders.length;
            senders[at] = (senders[at] ?? Promise.resolve()).then(() => send(name));
          },
        })),
      ];
      let broken = 0;
      const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
      // Everything else runs beside them: looks that follow each other at once, and leases that run out before they can be
      // renewed, would take the processor from it.
      const start = () => house.start({ pollSeconds: 1, timing: { lease: 6_000, heartbeat: 1_000 } });
      const intakes = [start(), start()];
      const again = async (which: number) => {
        const old = intakes[which];
        old?.child.kill('SIGKILL');
        await old?.ended;
        intakes[which] = start();
      };
      const faultOf = (cloud: CloudServer): Fault => {
        const [kind = '', fail] = pick(Object.entries(cloudFaults)) ?? [];
        return [kind, async () => fail?.(cloud, () => (broken += 1))];
      };
      const faults = (): readonly Fault[] => [
        ['intake killed', () => again(0)],
        ['intake killed', () => again(1)],
        ['both intakes killed', () => Promise.all([again(0), again(1)])],
        ['Postgres restarted', () => postgres.restart()],
        ['SFTP connections broken', () => sshd.breakConnections()],
        ['API killed', () => api.again()],
        ['worker killed', () => worker.again()],
        ['file server breaks off or is busy', async () => files.breakNext(random() < 0.5 ? 'cut' : 'busy')],
        ...clouds.map(faultOf),
        [
          'API frozen',
          async () => {
            api.child().kill('SIGSTOP');
            await pause(3_000);
            api.child().kill('SIGCONT');
          },
        ],
        [
          'mail server frozen',
          async () => {
            mailServer.freeze();
            await pause(1_000 + 6_000 * random());
            mailServer.thaw();
          },
        ],
        [
          'intake frozen',
          async () => {
            const { child } = intakes[random() < 0.5 ? 0 : 1] ?? {};
            child?.kill('SIGSTOP');
            await pause(3_000);
            child?.kill('SIGCONT');
          },
        ],
      ];

      const names = Array.from({ length: items }, (_, no) => `item-${String(no).padStart(3, '0')}.pdf`);
      const giving = (async () => {
        for (const [no, name] of names.entries()) {
          // A mail server that stands still takes no mail: the sender's server tries again.
          await ways[no % ways.length]?.send(name);
          await pause(100 * random());
        }
        await Promise.all(senders);
        await Promise.all(ofApi.map(({ decided }) => decided?.()));
      })();
      const made: Record<string, number> = {};
      let count = 0;
      let isOver = false;
      const failing = (async () => {
        while ((!isOver && count < mostFaults) || count < leastFaults) {
          await pause(1_000 + 3_000 * random());
          const [kind = '', fail] = pick(faults()) ?? [];
          await fail?.();
          made[kind] = (made[kind] ?? 0) + 1;
          count += 1;
        }
      })();
      /** Of all companies: what comes by the API is that of its own. A session that went on in another workflow is none of its own. */
      const taken = async () => {
        const where = { fileName: { startsWith: 'item-' }, status: { not: 'Rerouted' } } as const;
        const select = { fileName: true, source: true, status: true, subscriberId: true, files: true } as const;
        const rows = await house.database.asHost((tx) => tx.session.findMany({ where, select }));
        return rows.sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
      };
      const ended = async () => {
        // Postgres may be on its way down.
        const rows = await taken().catch(() => []);
        // The one whose file was replaced is held once more.
        return rows.filter(
          ({ status, source }) => status === 'Completed' || (status === 'OnHold' && source === replaced),
        ).length;
      };
      const ending = (async () => {
        await giving;
        await expect.poll(ended, { timeout: patience, interval: 1_000 }).toBeGreaterThanOrEqual(items);
      })();
      try {
        // A fault that cannot be made ends the run.
        await Promise.race([ending, failing.then(() => ending)]);
      } finally {
        isOver = true;
      }
      await failing;
      // Whatever would be taken twice is found again within some polls.
      await pause(10_000);
      const sessions = await taken();
      const known = new Set(sessions.map(({ fileName }) => fileName));
      const lost = names.filter((name) => !known.has(name)).length;
      // Each byte as it lies in the store, beside what was sent.
      const storage = openDiskStorage({ folder: dataDir });
      let differing = 0;
      let comparedBytes = 0;
      for (const { fileName, subscriberId, files: held } of sessions) {
        const newest = held.filter(({ kind }) => kind === 'OriginalFile').sort((a, b) => b.runNo - a.runNo)[0];
        const sum = createHash('sha256');
        for await (const part of await storage.open({ subscriberId, sha256: newest?.sha256 ?? '' })) {
          sum.update(part);
          comparedBytes += part.length;
        }
        if (sum.digest('hex') !== createHash('sha256').update(contentOf(fileName)).digest('hex')) differing += 1;
      }
      task.meta.chaos = {
        figures: {
          files: items,
          sessions: sessions.length,
          lost,
          twice: sessions.length - known.size,
          differing,
          comparedBytes,
          brokenAnswers: broken + files.broken(),
          minutes: Math.round((performance.now() - began) / 6_000) / 10,
          seed,
        },
        ways: countsOf(names.map((_, no) => ways[no % ways.length]?.way ?? '')),
        faults: made,
      };
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
