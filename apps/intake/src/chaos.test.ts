import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isNight } from '@pdf2press/config/by-day';
import { seeded } from '@pdf2press/config/seeded';
import { cloudProviders } from '@pdf2press/contract';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { hasSshd, startTestSshd } from '@pdf2press/sftp/testing';
import { hasDovecot, startDovecot } from '@pdf2press/sources/testing';
import { startCloudServer } from '@pdf2press/sources/testing-cloud';
import { expect, test } from 'vitest';
import { openDoors, startApi, waysOfApi } from './testing/api-process.ts';
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

test.runIf(hasDovecot && hasSshd)(
  `${items} files come by all sources at once while something fails every few seconds: each is one session (seed ${seed})`,
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
    const api = await startApi({ DATABASE_URL: postgres.migratedUrl, DATA_DIR: dataDir });
    const house = await openHouse(postgres.migratedUrl, dataDir);
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
          return (name: string) => void cloud.world.addFile(name, `%PDF-1.4 ${name}`, folder);
        }),
      );
      // Each sends its files one after the other; nobody else waits for them.
      const senders: Promise<unknown>[] = Array.from({ length: 12 }, () => Promise.resolve());
      const ways: ((name: string) => unknown)[] = [
        (name) => house.put('desk', name),
        (name) => mailServer.put('orders', { attachments: [{ name, content: `%PDF-1.4 ${name}` }] }),
        (name) => writeFile(path.join(remote, name), `%PDF-1.4 ${name}`),
        ...folders,
        ...waysOfApi(api, await openDoors(api)).map((send, way) => (name: string) => {
          const at = (Number(/\d+/.exec(name)?.[0]) + way) % senders.length;
          senders[at] = (senders[at] ?? Promise.resolve()).then(() => send(name));
        }),
      ];
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
          await ways[no % ways.length]?.(name);
          await pause(100 * random());
        }
        isGiven = true;
      })();
      let count = 0;
      const failing = (async () => {
        while (!isGiven || count < leastFaults) {
          await pause(1_000 + 3_000 * random());
          await faults[Math.floor(random() * faults.length)]?.();
          count += 1;
        }
      })();
      await Promise.all([giving, failing]);
      await Promise.all(senders);

      /** Of all companies: what comes by the API is that of its own. */
      const taken = async () => {
        const where = { fileName: { startsWith: 'item-' } };
        const find = { where, select: { fileName: true }, orderBy: { fileName: 'asc' } } as const;
        return (await house.database.asHost((tx) => tx.session.findMany(find))).map(({ fileName }) => fileName);
      };
      await expect
        .poll(async () => (await taken().catch(() => [])).length, { timeout: 10 * 60_000, interval: 1_000 })
        .toBe(items);
      // Whatever would be taken twice is found again within some polls.
      await pause(isNight ? 10_000 : 2_000);
      const sessions = await taken();
      const known = new Set(sessions);
      const lost = names.filter((name) => !known.has(name)).length;
      task.meta.figures = { files: items, faults: count, lost, twice: sessions.length - known.size, seed };
      expect(sessions).toEqual(names);
      expect(count).toBeGreaterThanOrEqual(leastFaults);
    } finally {
      mailServer.thaw();
      await api.close();
      await house.close();
      await Promise.all(clouds.map((cloud) => cloud.stop()));
      await sshd.stop();
      await mailServer.stop();
      await postgres.stop();
      await rm(base, { recursive: true, force: true });
    }
  },
);
