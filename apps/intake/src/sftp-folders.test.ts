import { appendFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { hasSshd, startTestSshd, type TestSshd } from '@pdf2press/sftp/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deathsOfSource, type House, hurry, largeFile, mayMount, openHouse, smallDisk } from './testing/house.ts';

describe.runIf(hasSshd)('a folder of a server of SFTP', () => {
  let postgres: TestPostgres;
  let base: string;
  let server: TestSshd;
  beforeAll(async () => {
    postgres = await startTestPostgres();
    base = await mkdtemp(path.join(os.tmpdir(), 'pdf2press-sftp-'));
  });
  afterAll(async () => {
    await postgres.stop();
    await rm(base, { recursive: true, force: true });
  });

  let house: House;
  let folder: string;
  let no = 0;
  beforeEach(async () => {
    no += 1;
    server = await startTestSshd(path.join(base, `ssh${no}`));
    folder = path.join(base, `orders${no}`);
    await mkdir(folder);
    house = await openHouse(postgres.migratedUrl);
  });
  afterEach(async () => {
    await house.close();
    await server.stop();
  });

  const put = (name: string, text: string | Buffer = `%PDF-1.4 ${name}`) => writeFile(path.join(folder, name), text);
  const lying = async (below = '') => (await readdir(path.join(folder, below)).catch(() => [])).sort();
  const inlet = (connectionId: string) =>
    house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) =>
      tx.inlet.findFirst({ where: { connectionId } }),
    );

  test('files become sessions, each once, and the original is moved', async () => {
    await house.addSftpFolder(server, folder);
    await put('a.pdf');
    await put('b.pdf');
    house.start();
    await expect.poll(() => lying('processed'), { timeout: 30_000 }).toEqual(['a.pdf', 'b.pdf']);
    expect(await house.taken()).toEqual(['a.pdf', 'b.pdf']);
    const item = await house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) =>
      tx.ingestItem.findFirstOrThrow({ where: { name: 'a.pdf' } }),
    );
    expect(item).toMatchObject({ sourceKind: 'sftp', way: 'sftpFolder', state: 'Accepted' });
    expect(item.sourceName).toBe(`127.0.0.1/${path.basename(folder)}`);
  });

  test('a file is not taken while it grows, and then whole', async () => {
    await house.addSftpFolder(server, folder, { stableSeconds: 2 });
    await put('a.pdf', '%PDF-1.4');
    house.start();
    for (let round = 0; round < 5; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      appendFileSync(path.join(folder, 'a.pdf'), ' more');
      expect(await house.taken()).toEqual([]);
    }
    await expect.poll(() => lying('processed'), { timeout: 30_000 }).toEqual(['a.pdf']);
    const { size } = await house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) =>
      tx.file.findFirstOrThrow(),
    );
    expect(Number(size)).toBe((await readFile(path.join(folder, 'processed/a.pdf'))).length);
  });

  test('files are deleted afterwards where that is asked for; what is refused lies aside with the reason', async () => {
    await house.addSftpFolder(server, folder, { after: 'delete' });
    await put('a.pdf');
    await put('notes.txt', 'no file to print');
    house.start();
    await expect.poll(() => lying('rejected'), { timeout: 30_000 }).toEqual(['notes.txt', 'notes.txt.txt']);
    // Two files are settled one after the other, in the order in which the server lists them.
    await expect.poll(() => lying(), { timeout: 30_000 }).toEqual(['rejected']);
    expect(await house.taken()).toEqual(['a.pdf']);
  });

  test('a server that shows another key is told, nothing is taken from it, and no secret is in the log', async () => {
    const id = await house.addSftpFolder(server, folder);
    const shown = await server.changeHostKey();
    await put('a.pdf');
    const { output } = house.start();
    await expect.poll(async () => (await inlet(id))?.errorCode, { timeout: 30_000 }).toBe('source.hostKeyChanged');
    expect((await inlet(id))?.errorParams).toEqual({ key: shown });
    expect([await lying(), await house.taken()]).toEqual([['a.pdf'], []]);
    expect(output()).not.toContain(server.privateKey.split('\n')[2]);
  });

  test.each(deathsOfSource)('killed at %s: nothing is taken twice, nothing is skipped', async (place) => {
    await house.addSftpFolder(server, folder);
    for (const name of ['1.pdf', '2.pdf', '3.pdf']) await put(name);
    expect(await house.start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
    house.start();
    await expect.poll(() => lying('processed'), { timeout: 30_000 }).toEqual(['1.pdf', '2.pdf', '3.pdf']);
    expect(await house.taken()).toEqual(['1.pdf', '2.pdf', '3.pdf']);
  });

  test.skipIf(!mayMount)(
    'while the disk is full a file waits and the cursor stays before it; with room it is taken once (needs namespaces) @night',
    async () => {
      const id = await house.addSftpFolder(server, folder);
      await put('large.pdf', largeFile());
      const full = house.start({ spoolBytes: smallDisk });
      const noted = () =>
        house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) => tx.ingestItem.findFirst());
      await expect.poll(noted).toMatchObject({ state: 'Retry', reason: 'storage.full' });
      expect((await inlet(id))?.cursor).toBeNull();
      expect(await house.taken()).toEqual([]);
      full.child.kill('SIGKILL');
      await full.ended;
      await hurry(house);
      house.start();
      await expect.poll(() => lying('processed')).toEqual(['large.pdf']);
      expect(await house.taken()).toEqual(['large.pdf']);
    },
  );

  test('killed in the middle of fetching: nothing is taken twice, nothing is skipped @night', async () => {
    await house.addSftpFolder(server, folder);
    await put('1.pdf');
    await put('large.pdf', Buffer.alloc(60_000_000, '%PDF-1.4 '));
    const intake = house.start();
    // Its bytes lie in a file of their own until the last one has come.
    await expect.poll(() => house.spooled(), { timeout: 30_000, interval: 5 }).toBeGreaterThan(2_000_000);
    intake.child.kill('SIGKILL');
    expect(await intake.ended).toBe('SIGKILL');
    expect(await house.taken()).not.toContain('large.pdf');
    house.start();
    await expect.poll(() => lying('processed'), { timeout: 60_000 }).toEqual(['1.pdf', 'large.pdf']);
    expect(await house.taken()).toEqual(['1.pdf', 'large.pdf']);
  });

  test('a server that ends in the middle of fetching is asked again, and the file comes whole @night', async () => {
    const id = await house.addSftpFolder(server, folder);
    await put('large.pdf', Buffer.alloc(60_000_000, '%PDF-1.4 '));
    house.start();
    await expect.poll(() => house.spooled(), { timeout: 30_000, interval: 5 }).toBeGreaterThan(2_000_000);
    await server.breakConnections();
    await expect.poll(() => lying('processed'), { timeout: 60_000 }).toEqual(['large.pdf']);
    expect(await house.taken()).toEqual(['large.pdf']);
    await expect.poll(async () => (await inlet(id))?.errorCode).toBeNull();
  });
});
