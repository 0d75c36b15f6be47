import { locales } from '@pdf2press/contract';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Lab, openLab } from '../testing/lab.ts';
import { type EffectKind, effectContracts } from './catalogue.ts';
import { kindsDue } from './claim-effects.ts';
import { deliverDue } from './deliver.ts';
import { enqueueEffect } from './enqueue.ts';
import { deathOf } from './words.ts';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
beforeAll(async () => {
  server = await startTestPostgres();
  lab = await openLab(server);
});
afterAll(async () => {
  await lab.close();
  await server.stop();
});
const inside = <T>(work: Parameters<typeof lab.deps.database.withSubscriber<T>>[1]) =>
  lab.deps.database.withSubscriber<T>({ subscriberId: lab.subscriberId }, work);

test.each(Object.keys(effectContracts) as EffectKind[])(
  '%s is listed under its own name and has its sentences in every language',
  (kind) => {
    expect(effectContracts[kind].kind).toBe(kind);
    for (const locale of locales) {
      const words = deathOf(locale, `${kind}.dead`, {});
      expect(words?.title.length).toBeGreaterThan(5);
      expect(words?.whatToDo.length).toBeGreaterThan(5);
    }
  },
);

test('a payload that does not fit its kind is neither recorded nor carried out', async () => {
  const wrong = { fileId: 'fil_x', page: 0 };
  await expect(inside((tx) => enqueueEffect(tx, { kind: 'tiles', key: 'wrong', payload: wrong }))).rejects.toThrow();
  expect(await inside((tx) => tx.effect.count())).toBe(0);

  await inside((tx) => enqueueEffect(tx, { kind: 'tiles', key: 'right', payload: { fileId: 'fil_x', page: 1 } }));
  // A row that a release with another payload could have left behind.
  await lab.sql.query(`update effects set payload = '{"fileId": 1}'`);
  const runs = {
    tiles: {
      run: async () => {
        throw new Error('it must not be done');
      },
    },
  };
  await deliverDue(lab.deps, runs, { count: 10, stopped: new AbortController().signal });
  const { rows } = await lab.sql.query('select state, last_error from effects');
  expect(rows).toMatchObject([{ state: 'Dead', last_error: expect.stringContaining('payload') }]);
});

test('an effect that another worker has taken over is ended by nobody else', async () => {
  await lab.sql.query('delete from effects');
  await inside((tx) => enqueueEffect(tx, { kind: 'tiles', key: 'taken', payload: { fileId: 'fil_x', page: 1 } }));
  const runs = {
    tiles: {
      run: async () => {
        // As if this worker had been frozen past its lease: another one claims the effect meanwhile.
        await lab.sql.query(`update effects set epoch = epoch + 1, attempt = attempt + 1`);
        return { remoteRef: 'of the worker that lost it' };
      },
    },
  };
  await deliverDue(lab.deps, runs, { count: 10, stopped: new AbortController().signal });
  const { rows } = await lab.sql.query('select state, remote_ref, attempt from effects');
  expect(rows).toEqual([{ state: 'Sending', remote_ref: null, attempt: 2 }]);
});

test('the kinds that are due are those with an effect whose time has come or whose worker is lost', async () => {
  await lab.sql.query('delete from effects');
  const payload = { fileId: 'fil_x', page: 1 };
  const kinds: EffectKind[] = ['tiles', 'mail', 'report'];
  const due = async () => (await kindsDue(lab.deps, kinds)).sort();
  expect(await due()).toEqual([]);
  for (const key of ['one', 'two']) await inside((tx) => enqueueEffect(tx, { kind: 'tiles', key, payload }));
  await inside((tx) => enqueueEffect(tx, { kind: 'tiles', key: 'mail', payload }));
  await lab.sql.query(`update effects set kind = 'mail' where key like '%mail'`);
  expect(await due()).toEqual(['mail', 'tiles']);
  expect(await kindsDue(lab.deps, ['report'])).toEqual([]);
  await lab.sql.query(`update effects set next_at = now() + interval '1 minute' where kind = 'mail'`);
  expect(await due()).toEqual(['tiles']);
  const lease = (until: string) =>
    lab.sql.query(`update effects set state = 'Sending', lease_until = now() + $1::interval where kind = 'tiles'`, [
      until,
    ]);
  await lease('1 minute');
  expect(await due()).toEqual([]);
  await lease('-1 minute');
  expect(await due()).toEqual(['tiles']);
});
