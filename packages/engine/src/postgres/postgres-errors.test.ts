import { problem } from '@pdf2press/contract';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { expect, test } from 'vitest';
import { openLab } from '../testing/lab.ts';
import { isDiskFull, isUnanswered, isUnstorable, untilAnswered } from './postgres-errors.ts';

const coded = (code: string, message = 'words that say nothing') => Object.assign(new Error(message), { code });
/** An error in the form in which Prisma passes it on from its adapter. */
const adapted = (code: string, cause: object, message = 'words that say nothing') =>
  Object.assign(coded(code, message), { meta: { driverAdapterError: { name: 'DriverAdapterError', cause } } });

const away: readonly (readonly [string, unknown])[] = [
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'].map(
    (code) => [code, coded(code)] as const,
  ),
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P1018', 'P2024', 'P2028', 'P2034', 'P2037'].map(
    (code) => [code, coded(code)] as const,
  ),
  ...[
    '08000',
    '08001',
    '08003',
    '08006',
    '57P01',
    '57P02',
    '57P03',
    '53100',
    '53300',
    '40001',
    '40P01',
    '25P03',
  ].flatMap(
    (code) =>
      [
        [`${code} from pg`, coded(code)],
        [`${code} of a model`, adapted('P2039', { kind: 'postgres', code, originalCode: code })],
        [`${code} of a raw statement`, coded('P2010', `Raw query failed. Code: \`${code}\`. Message: \`…\``)],
      ] as const,
  ),
  // A raw statement whose connection is reset has no code of its own.
  ...['ConnectionClosed', 'DatabaseNotReachable', 'SocketTimeout', 'TooManyConnections'].map(
    (kind) => [`${kind} of a raw statement`, adapted('P2010', { kind }, 'Raw query failed. Code: `N/A`.')] as const,
  ),
  ...[
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Server has closed the connection.',
    'server closed the connection unexpectedly',
    'terminating connection due to administrator command',
    'the database system is starting up',
    'the database system is shutting down',
    'the database system is in recovery mode',
    'the database system is not yet accepting connections',
    "Can't reach database server at 127.0.0.1:5432",
    'Unable to start a transaction in the given time.',
    'Transaction not found. Transaction ID is invalid',
    'sorry, too many clients already',
  ].map((message) => [message, new Error(message)] as const),
  ['what caused it', new Error('the step failed', { cause: coded('ECONNRESET') })],
  ['one of several addresses', new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')])],
];

test.each(away)('no answer from the database: %s', (_, error) => {
  expect(isUnanswered(error)).toBe(true);
  expect(isUnstorable(error)).toBe(false);
});

test.each([
  ['a unique value', adapted('P2002', { kind: 'UniqueConstraintViolation', originalCode: '23505' })],
  ['a missing right', adapted('P2010', { kind: 'postgres', code: '42501' }, 'permission denied for table files')],
  // Repeating the statement would give the same answer each time.
  ['an id that looks like codes', adapted('P2002', { detail: 'Key (id)=(08006 P1001 57P01) already exists.' })],
  ['a fault of a step', new Error('Cannot read properties of undefined')],
  ['a problem', problem('resource.notFound')],
  ['nothing', undefined],
])('an answer from the database: %s', (_, error) => {
  expect(isUnanswered(error)).toBe(false);
});

test.each([
  ['ours', coded('ENOSPC'), true],
  ['a quota', coded('EDQUOT'), true],
  ['that of Postgres', adapted('P2010', { kind: 'postgres', code: '53100' }), true],
  ['told by the store', problem('storage.full'), true],
  ['other numbers', adapted('P2002', { detail: 'Key (id)=(53100) already exists.' }), false],
])('a full disk: %s', (_, error, isFull) => {
  expect(isDiskFull(error)).toBe(isFull);
});

test('whatever runs when Postgres is killed, every statement gets an answer in the end', async () => {
  const server = await startTestPostgres();
  const lab = await openLab(server);
  let answered = 0;
  let isOver = false;
  const ask = async () => {
    while (!isOver) {
      await untilAnswered(
        () =>
          lab.deps.database.asHost(async (tx) => {
            await tx.$queryRaw`select pg_sleep(0.01)::text`;
            await tx.workflow.findMany();
            await tx.$executeRaw`update host_facts set updated_at = updated_at`;
          }),
        new AbortController().signal,
      );
      answered += 1;
    }
  };
  const more = async () => {
    const before = answered;
    await expect.poll(() => answered).toBeGreaterThan(before + 10);
  };
  const asking = Array.from({ length: 6 }, ask);
  try {
    for (let cuts = 0; cuts < 3; cuts += 1) {
      await more();
      await server.restart();
    }
    await more();
  } finally {
    isOver = true;
    await Promise.all(asking).finally(async () => {
      await lab.close();
      await server.stop();
    });
  }
});
