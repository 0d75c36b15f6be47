import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectGarbage } from '../files/collect-garbage.ts';
import { openInstanceKeys } from '../secrets/instance-key.ts';
import { type Lab, openLab, tester } from '../testing/lab.ts';
import { findPerson, patternOf } from './person.ts';
import { erasePerson } from './persons.ts';

let postgres: Awaited<ReturnType<typeof startTestPostgres>>;
let lab: Lab;
beforeAll(async () => {
  postgres = await startTestPostgres();
  lab = await openLab(postgres);
}, 120_000);
afterAll(async () => {
  await lab.close();
  await postgres.stop();
});

test('a session that was sent from an erased address is empty after the next round of the collector, its bytes gone', async () => {
  const keys = await openInstanceKeys({ dataDir: lab.folder, secretKey: 'x'.repeat(32) });
  const [gone = '', stays = ''] = [await lab.hand(), await lab.hand()];
  await lab.sql.query(
    `update sessions set status = 'Completed', finished_at = now(), source_name = 'Carl',
            variables = jsonb_build_object('upload.email', case id when $1 then 'Carl@example.com' else 'other@example.com' end)`,
    [gone],
  );
  const { subscriberId } = lab;
  await lab.deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const person = await findPerson(tx, keys, { email: 'carl@example.com', willErase: true });
    expect(person.going).toEqual([gone]);
    await erasePerson(tx, person, tester);
  });
  await lab.sql.query(`update blobs set created_at = created_at - interval '2 days'`);
  await collectGarbage(lab.deps);
  const { rows } = await lab.sql.query(
    `select id, source_name, variables, emptied_at is not null as "isEmpty" from sessions`,
  );
  expect(rows.find(({ id }) => id === gone)).toMatchObject({ source_name: '', variables: {}, isEmpty: true });
  expect(rows.find(({ id }) => id === stays)).toMatchObject({ source_name: 'Carl', isEmpty: false });
  const events = await lab.sql.query('select 1 from session_events where session_id = $1', [gone]);
  expect(events.rows).toEqual([]);
  const files = await lab.sql.query('select session_id as id from files');
  expect(new Set(files.rows.map(({ id }) => id))).toEqual(new Set([stays]));
});

test.each([
  ['an@example.com', 'an@example.com', true],
  ['an@example.com', 'Ann <AN@Example.com>', true],
  ['an@example.com', 'jan@example.com', false],
  ['an@example.com', 'an@example.com.au', false],
  ['an@example.com', 'an@example.company', false],
  ['an@example.com', 'write to an@example.com.', true],
  ['an@example.com', '{"text": "first\\nan@example.com"}', true],
  ['a.n+x@example.com', 'a.n+x@example.com', true],
  ['a.n+x@example.com', 'aan+x@example.com', false],
])('%s is found in %s: %s', async (email, text, isFound) => {
  const { rows } = await lab.sql.query('select $1::text ~* $2::text as "isFound"', [text, patternOf(email)]);
  expect(rows).toEqual([{ isFound }]);
});
