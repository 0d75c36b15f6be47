import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '../build.ts';
import { type Lab, startLab } from '../testing/lab.ts';
import { isOverLimit } from './rate-limits.ts';

let lab: Lab;

beforeAll(async () => {
  // 1200 requests a minute of an address become 12.
  lab = await startLab({ limitFactor: 0.01 });
});
afterAll(() => lab.stop());

const ask = (remoteAddress: string) => lab.app.inject({ url: '/api/app-info', remoteAddress });

test('an address that asks too often waits, and others do not', async () => {
  const statuses: number[] = [];
  for (let round = 0; round < 13; round += 1) statuses.push((await ask('192.0.2.1')).statusCode);
  expect(statuses).toEqual([...Array<number>(12).fill(200), 429]);
  const refused = await ask('192.0.2.1');
  expect(refused.json()).toMatchObject({ errors: [{ code: 'request.rateLimited' }] });
  const seconds = Number(refused.headers['retry-after']);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(refused.json().errors[0].params).toEqual({ seconds });
  expect((await ask('192.0.2.2')).statusCode).toBe(200);
});

test('narrow limits are counted in Postgres: a second process does not begin anew', async () => {
  const wide = await startLab({ limitFactor: 1 });
  const second = await build(wide.deps);
  try {
    const signIn = async (app: typeof second) =>
      (
        await app.inject({
          method: 'POST',
          url: '/api/TokenAuth/login',
          payload: { email: 'nobody@example.com', password: 'x' },
        })
      ).statusCode;
    const first: number[] = [];
    // More than twice the limit, so that the end of a window in between changes nothing.
    for (let round = 0; round < 22; round += 1) first.push(await signIn(wide.app));
    expect(first.slice(0, 10)).not.toContain(429);
    expect(first).toContain(429);
    const { rows } = await wide.deps.db.asHost(async (tx) => ({
      rows: await tx.$queryRaw<{ key: string; count: number }[]>`select key, count from rate_limits`,
    }));
    expect(rows.map(({ key }) => key)).toContain('POST /TokenAuth/login address:127.0.0.1');
    const before = rows.reduce((sum, { count }) => sum + count, 0);
    await signIn(second);
    const [after] = await wide.deps.db.asHost(
      (tx) => tx.$queryRaw<{ sum: number }[]>`select sum(count)::int as sum from rate_limits`,
    );
    expect(after?.sum).toBe(before + 1);
  } finally {
    await second.close();
    await wide.stop();
  }
});

test('uses beside requests are counted by key', async () => {
  const over: boolean[] = [];
  for (let round = 0; round < 3; round += 1) over.push(await isOverLimit(lab.deps, 'reset a@example.com', 200, 3600));
  expect(over).toEqual([false, false, true]);
  expect(await isOverLimit(lab.deps, 'reset b@example.com', 200, 3600)).toBe(false);
});
