import { receiveFile } from '@pdf2press/engine';
import { Prisma, type Transaction } from '@pdf2press/prisma';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

let lab: Lab;
let ana: SignedIn;
let workflowId: string;

beforeAll(async () => {
  lab = await startLab({ limitFactor: 1000 });
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  await seedSamples(lab.deps, { subscriberId, userId: ana.id, name: 'Ana' });
  const { result } = await lab.call<{ items: { id: string }[] }>('GET', '/workflows', { as: ana });
  workflowId = result.items[0]?.id ?? '';
});
afterAll(() => lab.stop());

async function session(): Promise<string> {
  const { sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId: ana.subscriberId },
    workflowId,
    source: 'ManualInjected',
    fileName: 'card.pdf',
    bytes: (async function* once() {
      yield Buffer.from('%PDF-1.4');
    })(),
    createdBy: { kind: 'system', name: '' },
    ingest: { kind: 'test' },
  });
  return sessionId;
}

/** As the owner of the tables, whose rights no wall narrows. */
const asOwner = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
  lab.deps.db.asHost(async (tx) => {
    await tx.$executeRaw`reset role`;
    return work(tx);
  });

/** Everything that the acts below could change, in one text. */
const state = async () => {
  const tables = ['sessions', 'step_runs', 'session_events', 'users', 'roles', 'api_keys', 'workflows', 'files'];
  const counts = tables.map(
    (table) =>
      `select '${table}' as name, md5(string_agg(row::text, ',' order by row::text)) as content from ${table} row`,
  );
  return asOwner(
    (tx) => tx.$queryRaw<{ name: string; content: string | null }[]>`${Prisma.raw(counts.join(' union all '))}`,
  );
};

test('an act whose audit row cannot be written is not done', async () => {
  const id = await session();
  const acts: [method: 'POST' | 'DELETE', path: string, body?: object][] = [
    ['POST', `/sessions/${id}/cancel`, {}],
    ['POST', `/sessions/${id}/reroute`, { workflowId }],
    ['DELETE', `/sessions/${id}`],
    ['POST', '/users', { firstName: 'Bo', email: 'bo@example.com', sendActivationEmail: false }],
    ['POST', '/roles', { name: 'Press', permissions: [] }],
    ['POST', '/api-keys', { name: 'press', permissions: ['sessions.view'] }],
    ['DELETE', `/workflows/${workflowId}`],
  ];
  const send = ([method, path, body]: (typeof acts)[number]) =>
    lab.call(method, path, { as: ana, ...(body && { body }) });
  await asOwner((tx) => tx.$executeRaw`revoke insert on audit_entries from pdf2press_app`);
  const before = await state();
  for (const act of acts) {
    expect((await send(act)).statusCode, act.join(' ')).toBeGreaterThanOrEqual(500);
    expect(await state(), act.join(' ')).toEqual(before);
  }
  await asOwner((tx) => tx.$executeRaw`grant insert on audit_entries to pdf2press_app`);
  const first = acts.find(([, path]) => path === '/roles');
  expect(first && (await send(first)).statusCode, 'with the right back it is done').toBeLessThan(300);
  expect((await send(['POST', `/sessions/${id}/cancel`, {}])).statusCode).toBe(200);
});
