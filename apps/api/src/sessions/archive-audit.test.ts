import type { SystemSettings } from '@pdf2press/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let ana: SignedIn;
beforeAll(async () => {
  lab = await startLab();
  ana = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Paper + Ink'), 'ana@example.com'));
  await seedSamples(lab.deps, { subscriberId: ana.subscriberId, userId: ana.id, name: 'Ana' });
});
afterAll(() => lab.stop());

const inside = <T>(work: Parameters<typeof lab.deps.db.withSubscriber<T>>[1]) =>
  lab.deps.db.withSubscriber<T>({ subscriberId: ana.subscriberId }, work);
const bulk = async (action: 'archive' | 'unarchive', id: string) =>
  (
    await lab.call<{ success: boolean; error?: { code: string } }[]>('POST', '/sessions/bulk', {
      as: ana,
      body: { action, ids: [id] },
    })
  ).result[0];
const told = async () =>
  (
    await lab.call<{ items: { act: string; object: { id: string }; actor: { id: string } }[] }>(
      'GET',
      '/audit?kind=session',
      { as: ana },
    )
  ).result.items.map(({ act, object, actor }) => [act, object.id, actor.id]);

test('who archives a session, and who brings it back, is in the audit; what is refused is not', async () => {
  const { id } = await inside((tx) => tx.session.findFirstOrThrow({ select: { id: true } }));
  await inside(
    (tx) => tx.$executeRaw`update sessions set status = 'Processing' where id = ${id} and status = 'InQueue'`,
  );
  await inside((tx) => tx.$executeRaw`update sessions set status = 'Completed', finished_at = now() where id = ${id}`);
  expect(await bulk('archive', id)).toMatchObject({ success: false, error: { code: 'archiving.notSetUp' } });
  expect(await told()).toEqual([]);
  const { result } = await lab.call<SystemSettings>('GET', '/SystemSettings', { as: ana });
  const config = { accessKey: 'key', bucketName: 'archive', region: 'eu', secretKey: 'secret' };
  await lab.call('PUT', '/SystemSettings', {
    as: ana,
    body: { ...result, archivingSettings: { ...result.archivingSettings, enabled: true, config } },
  });
  expect(await bulk('archive', id)).toMatchObject({ success: true });
  expect(await told()).toEqual([['session.archive', id, ana.id]]);
  await inside((tx) => tx.$executeRaw`update sessions set archive_state = 'Archived' where id = ${id}`);
  expect(await bulk('unarchive', id)).toMatchObject({ success: true });
  expect(await told()).toEqual([
    ['session.unarchive', id, ana.id],
    ['session.archive', id, ana.id],
  ]);
});
