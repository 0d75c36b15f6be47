import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from './database.ts';
import { startTestPostgres, type TestPostgres } from './testing.ts';

let server: TestPostgres;

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

test('of a burst nothing is refused, although the last waits longer for a connection than one transaction may', async () => {
  const patience = 1_500;
  const database = createDatabase(server.migratedUrl, { connections: 2, patience });
  // Each takes a third of the patience, and the last begins after twice the patience.
  const seconds = patience / 3 / 1_000;
  const burst = Array.from({ length: 14 }, (_, no) =>
    database.asHost(async (tx) => {
      await tx.$queryRaw`select pg_sleep(${seconds}::float8)::text`;
      return no;
    }),
  );
  expect(await Promise.all(burst)).toEqual(burst.map((_, no) => no));
  await database.close();
});
