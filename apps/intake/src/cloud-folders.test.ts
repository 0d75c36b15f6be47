import { isNight } from '@pdf2press/config/by-day';
import { cloudProviders } from '@pdf2press/contract';
import { retryItem } from '@pdf2press/engine';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { type CloudServer, startCloudServer } from '@pdf2press/sources/testing-cloud';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deathsOfSource, type House, hurry, largeFile, mayMount, openHouse, smallDisk } from './testing/house.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

describe.each(cloudProviders)('%s', (provider) => {
  let house: House;
  let server: CloudServer;
  let folder: string;
  let storage: string;
  let grant: string;
  beforeEach(async () => {
    house = await openHouse(postgres.migratedUrl);
    server = await startCloudServer(provider);
    folder = server.world.addFolder('Orders');
    grant = server.grant();
    storage = await house.addCloudFolder(server, folder, grant);
  });
  afterEach(async () => {
    await house.close();
    await server.stop();
  });

  const inlet = () =>
    house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) =>
      tx.inlet.findFirst({ where: { connectionId: storage } }),
    );
  const put = (...names: string[]) => {
    for (const name of names) server.world.addFile(name, `%PDF-1.4 ${name}`, folder);
  };
  const processed = () => {
    const aside = server.world.childrenOf(folder).find(({ name }) => name === 'processed');
    return aside ? server.world.namesIn(aside.id) : [];
  };
  /** Everything was taken once and settled, and the cursor is past it. */
  async function isTaken(...names: string[]): Promise<void> {
    await expect.poll(processed, { timeout: 20_000 }).toEqual(names);
    await expect.poll(async () => (await inlet())?.cursor).toMatchObject({ hasLeft: false });
    expect(await house.taken()).toEqual(names);
  }

  test('files become sessions', async () => {
    put('a.pdf', 'b.pdf');
    house.start();
    await isTaken('a.pdf', 'b.pdf');
    put('c.pdf');
    await isTaken('a.pdf', 'b.pdf', 'c.pdf');
    const { source, sourceName } = await house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) =>
      tx.session.findFirstOrThrow(),
    );
    expect([source, sourceName]).toEqual(['CloudFolder', 'Orders']);
  });

  /** What the intake does with every service alike: by day with one of them. */
  const withOne = (one: typeof provider) => test.runIf(isNight || provider === one);

  withOne('GoogleDrive')('a refused file is tried once more when somebody asks for it', async () => {
    put('notes.txt');
    house.start();
    const context = { subscriberId: house.subscriberId };
    const item = () => house.database.withSubscriber(context, (tx) => tx.ingestItem.findFirst());
    await expect.poll(item, { timeout: 20_000 }).toMatchObject({ state: 'Rejected', attempts: 1 });
    const aside = () => server.world.childrenOf(folder).find(({ name }) => name === 'rejected')?.id ?? '';
    // With the note that says why.
    await expect.poll(() => server.world.namesIn(aside())).toEqual(['notes.txt', 'notes.txt.txt']);
    const key = (await item())?.sourceKey ?? '';
    await house.database.withSubscriber(context, (tx) => retryItem(tx, { kind: 'cloud', key }));
    await expect.poll(item, { timeout: 20_000 }).toMatchObject({ state: 'Rejected', attempts: 2 });
    server.world.drop(server.world.childrenOf(aside()).find(({ name }) => name === 'notes.txt')?.id ?? '');
    await house.database.withSubscriber(context, (tx) => retryItem(tx, { kind: 'cloud', key }));
    await expect.poll(item, { timeout: 20_000 }).toMatchObject({ state: 'Rejected', reason: 'file.gone' });
  });

  // Once its bytes have come, a file takes the same way from every service.
  test.each(provider === 'GoogleDrive' ? deathsOfSource : [])(
    'killed at %s: nothing is taken twice, nothing is skipped',
    async (place) => {
      put('1.pdf', '2.pdf', '3.pdf');
      expect(await house.start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
      house.start();
      await isTaken('1.pdf', '2.pdf', '3.pdf');
    },
  );

  const moments = {
    'while it lists': (url: URL) => url.searchParams.has('q') || url.pathname.endsWith('/children'),
    'while it downloads': (url: URL) =>
      url.searchParams.get('alt') === 'media' || url.pathname.startsWith('/download/'),
    'while the original is moved': (_: URL, method: string) => method === 'PATCH',
  };
  const all = Object.keys(moments) as (keyof typeof moments)[];
  const byDay = provider === 'GoogleDrive' ? (['while it downloads'] as const) : [];
  const dangerous = isNight ? all : byDay;
  test.each(dangerous)('killed %s: nothing is taken twice, nothing is skipped', async (moment) => {
    put('1.pdf', '2.pdf');
    const intake = house.start();
    server.failNext(({ url, method }) => {
      if (!moments[moment](url, method)) return undefined;
      intake.child.kill('SIGKILL');
      return { status: 503 };
    });
    expect(await intake.ended).toBe('SIGKILL');
    house.start();
    await isTaken('1.pdf', '2.pdf');
  });

  test.skipIf(!mayMount)(
    'while the disk is full a file waits and the cursor stays before it; with room it is taken once (needs namespaces) @night',
    async () => {
      server.world.addFile('large.pdf', largeFile(), folder);
      const full = house.start({ spoolBytes: smallDisk });
      const noted = () =>
        house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) => tx.ingestItem.findFirst());
      await expect.poll(noted).toMatchObject({ state: 'Retry', reason: 'storage.full' });
      expect((await inlet())?.cursor).toBeNull();
      expect(await house.taken()).toEqual([]);
      full.child.kill('SIGKILL');
      await full.ended;
      await hurry(house);
      house.start();
      await isTaken('large.pdf');
      expect(await house.taken()).toEqual(['large.pdf']);
    },
  );

  withOne('OneDrive')('a service that asks to wait is not asked earlier, and says so', async () => {
    server.failNext(() => ({ status: 429, headers: { 'retry-after': '120' }, body: {} }), 1);
    house.start();
    await expect.poll(async () => (await inlet())?.errorCode).toBe('source.busy');
    const found = await inlet();
    expect(found?.errorParams).toEqual({ seconds: 120 });
    expect((found?.dueAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(100_000);
  });

  withOne('GoogleDrive')('consent that was withdrawn is told, and nothing of it is in the log', async () => {
    server.revoke();
    const { output } = house.start();
    await expect.poll(async () => (await inlet())?.errorCode).toBe('source.signInNeeded');
    expect(output()).not.toContain(grant);
    expect(output()).not.toContain(server.clientSecret);
  });

  test('what a service gives in place of a grant is used from then on, also by the next process @night', async () => {
    put('a.pdf');
    const first = house.start();
    await isTaken('a.pdf');
    first.child.kill('SIGTERM');
    await first.ended;
    if (provider === 'OneDrive') server.endGrant(grant);
    put('b.pdf');
    house.start();
    await isTaken('a.pdf', 'b.pdf');
  });
});
