import { setTimeout as sleep } from 'node:timers/promises';
import { sampled } from '@pdf2press/config/by-day';
import { startTestPostgres, type TestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { deaths, type House, mayMount, openHouse } from './testing/house.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

let house: House;
beforeEach(async () => {
  house = await openHouse(server.migratedUrl);
});
afterEach(() => house.close());

const count = (lines: readonly string[]) =>
  new Map(lines.map((line) => [line, lines.filter((one) => one === line).length]));

test('two intakes at once take every file once, and never poll one inlet at the same time', async () => {
  const shelves = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const shelf of shelves) {
    await house.addShelf(shelf);
    for (let no = 0; no < 5; no += 1) house.put(shelf, `${shelf}${no}.pdf`);
  }
  // Long enough for a busy machine, so that no inlet changes process during a poll.
  const timing = { lease: 60_000, heartbeat: 1_000 };
  house.start({ timing });
  house.start({ timing });
  await expect.poll(async () => (await house.taken()).length).toBe(30);
  await expect.poll(() => house.lines('settled').length).toBe(30);
  expect(new Set(await house.taken()).size).toBe(30);
  // Each item is settled under one lease; settled by two polls it would be listed twice.
  expect([...count(house.lines('settled')).values()].every((times) => times === 1)).toBe(true);
});

test('polls at the same time are no leak to Node, however many they are', async () => {
  const shelves = Array.from({ length: 12 }, (_, no) => `shelf-${no}`);
  for (const shelf of shelves) {
    await house.addShelf(shelf);
    house.put(shelf, '.hang');
  }
  const intake = house.start();
  const polled = () => new Set(house.lines('polls').map((line) => line.split(' ')[0])).size;
  await expect.poll(polled).toBe(shelves.length);
  expect(intake.output()).not.toContain('MaxListenersExceededWarning');
});

test('a frozen process loses its inlet and writes no cursor when it continues', async () => {
  await house.addShelf('a');
  for (const name of ['1.pdf', '2.pdf', '3.pdf']) house.put('a', name);
  const late = house.start({ failpoints: 'beforeCursor:freeze' });
  await expect.poll(async () => (await house.taken()).length).toBe(1);
  house.start();
  await expect.poll(async () => (await house.inlet('a'))?.cursor).toBe('3.pdf');
  const epoch = (await house.inlet('a'))?.leaseEpoch ?? 0;
  expect(epoch).toBeGreaterThan(1);
  late.child.kill('SIGCONT');
  await expect.poll(() => late.output()).toContain('intake.inletLost');
  expect((await house.inlet('a'))?.cursor).toBe('3.pdf');
  expect(await house.taken()).toEqual(['1.pdf', '2.pdf', '3.pdf']);
});

test.each(deaths)('killed at %s: another takes over, nothing is taken twice, nothing is skipped', async (place) => {
  await house.addShelf('a');
  for (const name of ['1.pdf', '2.pdf', '3.pdf']) house.put('a', name);
  expect(await house.start({ failpoints: `${place}:kill` }).ended).toBe('SIGKILL');
  // The cursor moves only to what is committed and settled.
  const { cursor } = (await house.inlet('a')) ?? {};
  expect(cursor).toBe(place === 'afterCursor' ? '1.pdf' : null);
  if (cursor) expect(house.lines('settled')).toContain('a/1.pdf accepted');
  house.start();
  await expect.poll(async () => (await house.inlet('a'))?.cursor).toBe('3.pdf');
  expect(await house.taken()).toEqual(['1.pdf', '2.pdf', '3.pdf']);
  expect(new Set(house.lines('settled'))).toEqual(new Set(['1', '2', '3'].map((no) => `a/${no}.pdf accepted`)));
});

test.each(sampled(['.hang-download', '.hang'], 2))(
  'a source with %s is aborted at its limit and delays no other',
  async (behaviour) => {
    await house.addShelf('hanging');
    await house.addShelf('well');
    house.put('hanging', behaviour);
    house.put('hanging', '0.pdf');
    // One slot besides that of the poll that hangs.
    house.start({ timing: { slots: 2 } });
    await expect.poll(() => house.lines('polls').some((line) => line.startsWith('hanging'))).toBe(true);
    house.put('well', '1.pdf');
    await expect.poll(house.taken).toEqual(['1.pdf']);
    await expect
      .poll(() => house.inlet('hanging'))
      .toMatchObject({ errorCode: 'source.timedOut', errorParams: { seconds: 1 }, leaseUntil: null });
    house.put('well', '2.pdf');
    await expect.poll(house.taken).toEqual(['1.pdf', '2.pdf']);
  },
);

test('the pause after failures grows, is kept after a restart, and ends with the first successful poll', async () => {
  await house.addShelf('a');
  house.put('a', '.down');
  house.put('a', '1.pdf');
  const failed = (failures: number) =>
    expect.poll(() => house.inlet('a')).toMatchObject({ errorCode: 'source.unreachable', failureCount: failures });
  const first = house.start();
  await failed(1);
  const { dueAt, failingSince } = (await house.inlet('a')) ?? {};
  expect(dueAt?.getTime()).toBeGreaterThan((failingSince?.getTime() ?? 0) + 3_000);
  first.child.kill('SIGKILL');
  await first.ended;
  const polls = house.lines('polls').length;
  const second = house.start();
  await expect.poll(() => second.output()).toContain('intake.started');
  await sleep(700);
  // The pause was still in force after the restart.
  expect(house.lines('polls')).toHaveLength(polls);
  const makeDue = () =>
    house.database.asHost(
      (tx) => tx.$executeRaw`update inlets set due_at = clock_timestamp() where subscriber_id = ${house.subscriberId}`,
    );
  await makeDue();
  await failed(2);
  expect((await house.inlet('a'))?.failingSince).toEqual(failingSince);
  house.remove('a', '.down');
  await makeDue();
  await expect
    .poll(() => house.inlet('a'))
    .toMatchObject({ errorCode: null, errorParams: null, failingSince: null, failureCount: 0, cursor: '1.pdf' });
});

test('the secret of a connection is in no row and in no log', async () => {
  await house.addShelf('a');
  house.put('a', '.down');
  const intake = house.start();
  await expect.poll(() => intake.output()).toContain('intake.pollFailed');
  expect(intake.output()).toContain('anna:[secret] refused');
  expect(intake.output()).not.toContain(house.password);
  const tablesWith = (text: string) =>
    house.database.asHost(async (tx) => {
      const rows = await tx.$queryRaw<{ name: string }[]>`
        select table_name as name from information_schema.tables
         where table_schema = 'public' and table_type = 'BASE TABLE'
           and has_table_privilege(quote_ident(table_name), 'select')
           and query_to_xml('select * from ' || quote_ident(table_name), true, false, '')::text like ${`%${text}%`}`;
      return rows.map(({ name }) => name);
    });
  expect(await tablesWith(house.password)).toEqual([]);
  // Control: the search finds text that is stored in clear.
  expect(await tablesWith('anna')).toEqual(['profile_versions']);
});

test('a file that cannot be read keeps the cursor before it, delays no other, and is tried again when it is due', async () => {
  await house.addShelf('a');
  for (const name of ['.broken', '1.pdf', '2.pdf']) house.put('a', name);
  house.start();
  await expect.poll(house.taken).toEqual(['2.pdf']);
  const noted = () =>
    house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) =>
      tx.ingestItem.findFirst({ where: { sourceKey: 'a/1.pdf' } }),
    );
  await expect.poll(noted).toMatchObject({ state: 'Retry', attempts: 1, reason: 'internal.unexpected' });
  expect((await house.inlet('a'))?.cursor).toBeNull();
  house.remove('a', '.broken');
  await house.database.withSubscriber(
    { subscriberId: house.subscriberId },
    (tx) => tx.$executeRaw`update ingest_items set next_at = clock_timestamp() where source_key = 'a/1.pdf'`,
  );
  await expect.poll(async () => (await house.inlet('a'))?.cursor).toBe('2.pdf');
  expect(await house.taken()).toEqual(['1.pdf', '2.pdf']);
});

test.skipIf(!mayMount)(
  'while the disk is full a file waits and the cursor stays before it; with room it is taken once (needs namespaces)',
  async () => {
    await house.addShelf('a');
    house.put('a', '1.pdf', `%PDF-1.4 ${'x'.repeat(2_000_000)}`);
    const full = house.start({ spoolBytes: 1_000_000 });
    const noted = () =>
      house.database.withSubscriber({ subscriberId: house.subscriberId }, (tx) =>
        tx.ingestItem.findFirst({ where: { sourceKey: 'a/1.pdf' } }),
      );
    await expect.poll(noted).toMatchObject({ state: 'Retry', reason: 'storage.full' });
    expect((await house.inlet('a'))?.cursor).toBeNull();
    expect(house.lines('settled')).toEqual([]);
    full.child.kill('SIGKILL');
    await full.ended;
    await house.database.withSubscriber(
      { subscriberId: house.subscriberId },
      (tx) => tx.$executeRaw`update ingest_items set next_at = clock_timestamp() where source_key = 'a/1.pdf'`,
    );
    house.start();
    await expect.poll(async () => (await house.inlet('a'))?.cursor).toBe('1.pdf');
    expect(await house.taken()).toEqual(['1.pdf']);
    expect(house.lines('settled')).toEqual(['a/1.pdf accepted']);
  },
);

test('a file that is refused for good is settled, and the cursor moves past it', async () => {
  await house.addShelf('a');
  house.put('a', '1.docx');
  house.start();
  await expect.poll(async () => (await house.inlet('a'))?.cursor).toBe('1.docx');
  expect(house.lines('settled')).toEqual(['a/1.docx rejected']);
  expect(await house.taken()).toEqual([]);
});

test('when told to stop, it gives its inlets back at once', async () => {
  await house.addShelf('a');
  house.put('a', '.hang');
  const intake = house.start();
  await expect.poll(() => house.lines('polls').length).toBeGreaterThan(0);
  intake.child.kill('SIGTERM');
  expect(await intake.ended).toBe('0');
  expect(await house.inlet('a')).toMatchObject({ leaseUntil: null, leaseOwner: null });
});
