import type { RouteResult, routes } from '@pdf2press/contract';
import { receiveFile } from '@pdf2press/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';

type Answer = RouteResult<typeof routes.sessions.evaluate>;

let lab: Lab;
let ana: SignedIn;
let stranger: SignedIn;
let sessionId: string;

beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  stranger = await lab.signIn(await lab.makeAdministrator(await lab.makeSubscriber('Elsewhere'), 'eve@example.com'));
  await seedSamples(lab.deps, { subscriberId, userId: ana.id, name: 'Ana' });
  const { result } = await lab.call<{ items: { id: string }[] }>('GET', '/workflows', { as: ana });
  ({ sessionId } = await receiveFile(lab.deps.engine, {
    context: { subscriberId },
    workflowId: result.items[0]?.id ?? '',
    source: 'ManualInjected',
    sourceName: 'Ana',
    fileName: 'Flyer 4711.pdf',
    bytes: (async function* once() {
      yield Buffer.from('%PDF-1.4 flyer');
    })(),
    variables: { quantity: 250, 'order.id': 'A-17' },
    createdBy: { kind: 'system', name: '' },
    ingest: { kind: 'test' },
  }));
}, 120_000);
afterAll(() => lab.stop());

const quantity = { name: 'quantity', type: 'Number', default: null, isRequired: false, isPublic: false, options: [] };
const ask = (body: object, as: SignedIn = ana) =>
  lab.call<Answer>('POST', `/sessions/${sessionId}/evaluate`, { as, body: { variables: [quantity], ...body } });

test('each rule comes with what was expected and found in the session, as its log would have it', async () => {
  const group = {
    match: 'any',
    rules: [
      { fact: 'file.name', operator: 'matchesRegex', value: '^flyer \\d+' },
      { match: 'all', rules: [{ fact: 'quantity', operator: 'atLeast', value: 500 }] },
      { fact: 'pdf.pageCount', operator: 'exists' },
    ],
  };
  const { result } = await ask({ groups: [group, { match: 'none', rules: [] }] });
  expect(result.groups).toEqual([
    {
      verdict: true,
      table: [
        {
          path: 'rules.0',
          fact: 'file.name',
          type: 'String',
          operator: 'matchesRegex',
          expected: ['^flyer \\d+'],
          actual: 'Flyer 4711.pdf',
          verdict: true,
        },
        expect.objectContaining({ path: 'rules.1.rules.0', expected: [500], actual: 250, verdict: false }),
        expect.objectContaining({ path: 'rules.2', actual: null, verdict: false }),
      ],
    },
    { verdict: true, table: [] },
  ]);
});

test('a group that is not complete has no answer, and those beside it have theirs', async () => {
  const group = { match: 'all', rules: [{ fact: '', operator: '' }] };
  const { result } = await ask({ groups: [{ match: 'some' }, group] });
  expect(result.groups[0]).toBeNull();
  expect(result.groups[1]?.verdict).toBe(false);
});

test('values are told by name, as texts', async () => {
  const { result } = await ask({
    names: ['file.baseName', 'Quantity', 'session.restartCount', 'pdf.title', 'nothing'],
  });
  expect(result.texts).toEqual({
    'file.baseName': 'Flyer 4711',
    Quantity: '250',
    'session.restartCount': '0',
    'pdf.title': '',
    nothing: '',
  });
});

test('a session of another print house is not found, and whoever may not see sessions is refused', async () => {
  const foreign = await ask({ names: ['file.name'] }, stranger);
  expect(foreign.statusCode).toBe(404);
  expect(foreign.body).not.toContain('Flyer');
  const person = await lab.makePerson(ana.subscriberId, 'clerk@example.com', ['workflows.view']);
  expect((await ask({}, await lab.signIn(person))).statusCode).toBe(403);
});

test('nothing is changed by asking', async () => {
  const read = async () => (await lab.call('GET', `/sessions/${sessionId}/events`, { as: ana })).body;
  const before = await read();
  await ask({ groups: [{ match: 'all', rules: [{ fact: 'counter', operator: 'exists' }] }], names: ['counter'] });
  expect(await read()).toBe(before);
});
