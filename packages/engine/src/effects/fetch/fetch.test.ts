import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isNight } from '@pdf2press/config/by-day';
import { SourceFaultError } from '@pdf2press/contract';
import { newId } from '@pdf2press/prisma';
import { startTestPostgres } from '@pdf2press/prisma/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { guardedFetch } from '../../sources/guarded-fetch.ts';
import { patient } from '../../testing/in-lab.ts';
import { type Lab, openLab, tester } from '../../testing/lab.ts';
import { startProcess, type WorkerProcess } from '../../testing/processes.ts';
import { type AskedFile, askForFile, fetchAgain } from './ask-for-file.ts';
import { AddressRefusedError, nameInPath, openAddress } from './read-address.ts';

const bytes = randomBytes(300_000);

/** How the server answers the requests that it gets, one after the other; the last answer stays. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let server: Server;
let port: number;
let answers: Answer[];
let asked: { range: string | undefined; ifRange: string | undefined }[];

beforeEach(async () => {
  answers = [whole()];
  asked = [];
  server = createServer((request, response) => {
    const { range, 'if-range': ifRange } = request.headers;
    asked.push({ range, ifRange: typeof ifRange === 'string' ? ifRange : undefined });
    const next = answers.length > 1 ? answers.shift() : answers[0];
    next?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

interface Sent {
  etag?: string | null;
  /** The connection breaks after so many bytes. */
  until?: number;
  ranges?: boolean;
  file?: Buffer;
  headers?: Record<string, string>;
}

/** A server of files: gives what it is asked for, or breaks off. */
function whole({ etag = '"one"', until, ranges = true, file = bytes, headers = {} }: Sent = {}): Answer {
  return (request, response) => {
    const from = ranges ? Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0;
    const isSame = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
    const start = isSame ? from : 0;
    response.writeHead(start > 0 ? 206 : 200, {
      'content-type': 'application/pdf',
      'content-length': file.length - start,
      ...(etag !== null && { etag }),
      ...(start > 0 && { 'content-range': `bytes ${start}-${file.length - 1}/${file.length}` }),
      ...headers,
    });
    if (until === undefined) response.end(file.subarray(start));
    else response.write(file.subarray(start, start + until), () => setTimeout(() => response.destroy(), 20));
  };
}

const refuse =
  (status: number): Answer =>
  (_, response) =>
    response.writeHead(status).end('no');

const address = (name = 'card.pdf') => `http://127.0.0.1:${port}/files/${name}`;
const allowedHosts = () => [{ host: '127.0.0.1', port, scheme: 'http' as const }];

describe('reading an address', () => {
  const { signal } = new AbortController();
  const read = async (silentMs?: number) => {
    const fetch = guardedFetch(allowedHosts());
    const file = await openAddress(address(), { fetch, signal, ...(silentMs !== undefined && { silentMs }) });
    const pieces: Uint8Array[] = [];
    try {
      for await (const piece of file.bytes) pieces.push(piece);
    } finally {
      await file.close();
    }
    return Buffer.concat(pieces);
  };

  test('a download that breaks off goes on where it was', async () => {
    answers = [whole({ until: 70_000 }), whole({ until: 90_000 }), whole()];
    expect((await read()).equals(bytes)).toBe(true);
    expect(asked).toHaveLength(3);
    expect(asked[1]).toEqual({ range: expect.stringMatching(/^bytes=\d+-$/), ifRange: '"one"' });
    expect(Number(/\d+/.exec(asked[2]?.range ?? '')?.[0])).toBeGreaterThan(70_000);
  });

  test('a server that knows no ranges sends all again, and what is here already is passed over', async () => {
    answers = [whole({ until: 70_000, ranges: false }), whole({ ranges: false })];
    expect((await read()).equals(bytes)).toBe(true);
  });

  test('a file that was replaced meanwhile is never half the one and half the other', async () => {
    const other = randomBytes(300_000);
    answers = [whole({ until: 70_000 }), whole({ etag: '"two"', file: other })];
    await expect(read()).rejects.toEqual(new SourceFaultError('source.changed'));
    // Nothing tells whether it is the same: it is begun anew, as a whole.
    answers = [whole({ until: 70_000, etag: null }), whole({ etag: null })];
    await expect(read()).rejects.toMatchObject({ code: 'source.unreachable' });
  });

  test('a server that breaks off each time without a byte, or is silent, is given up @night', async () => {
    answers = [whole({ until: 70_000 }), whole({ until: 0 })];
    await expect(read()).rejects.toMatchObject({ code: 'source.unreachable' });
    answers = [() => undefined];
    await expect(read(150)).rejects.toMatchObject({ code: 'source.timedOut' });
    answers = [refuse(404)];
    await expect(read()).rejects.toEqual(new AddressRefusedError(404));
  });

  test.each([
    [{}, 'card.pdf', 'card.pdf'],
    [{}, 'get?id=4', 'get.pdf'],
    [{}, '', 'file.pdf'],
    [{ 'content-disposition': 'attachment; filename="Flyer 1.pdf"' }, 'get', 'Flyer 1.pdf'],
    [{ 'content-disposition': "attachment; filename=x.pdf; filename*=UTF-8''Men%C3%BC.pdf" }, 'get', 'Menü.pdf'],
    [{ 'content-disposition': "attachment; filename*=UTF-8''%zz.pdf" }, 'get', 'get.pdf'],
    [{ 'content-type': 'image/png; charset=x' }, 'a.php', 'a.png'],
    [{ 'content-type': 'text/html' }, 'a.php', null],
  ])('of %j at %s the file is called %s', async (headers, path, name) => {
    answers = [whole({ headers })];
    const file = await openAddress(address(path), { fetch: guardedFetch(allowedHosts()), signal });
    await file.close();
    expect(file.name).toBe(name);
  });

  test('the name in an address is read as it was meant', () => {
    expect(nameInPath('https://x.test/a/My%20card.pdf?sig=%2F')).toBe('My card.pdf');
    expect(nameInPath('https://x.test/a/100%.pdf')).toBe('100%.pdf');
    expect(nameInPath('https://x.test/')).toBe('');
  });
});

describe('a file that is handed in by its address', () => {
  let postgres: Awaited<ReturnType<typeof startTestPostgres>>;
  beforeAll(async () => {
    postgres = await startTestPostgres();
  });
  afterAll(() => postgres.stop());

  let lab: Lab;
  let started: WorkerProcess[];
  beforeEach(async () => {
    started = [];
    lab = await openLab(postgres);
  });
  afterEach(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
    await lab.close();
  });

  const start = (failpoints = '') => {
    const one = startProcess(lab, { timing: patient, allowedHosts: allowedHosts(), failpoints });
    started.push(one);
    return one;
  };
  const ask = (change: Partial<AskedFile> = {}) =>
    lab.deps.database.withSubscriber(lab, (tx) =>
      askForFile(tx, {
        ingestKey: 'key:order-1',
        fileUrl: address(),
        fileName: 'card.pdf',
        workflowId: lab.workflowId,
        variables: { 'order.externalId': 'WEB-1' },
        externalId: 'WEB-1',
        organizationId: null,
        priority: 'Urgent',
        source: 'ExternalApi',
        sourceName: 'press',
        createdBy: { ...tester, id: newId('user') },
        ...change,
      }),
    );
  const item = async () =>
    (
      await lab.sql.query(
        `select state::text, reason, reason_params, name, way, source_name, session_id from ingest_items`,
      )
    ).rows[0];
  const sessions = async () =>
    (await lab.sql.query(`select id, file_name, external_id, priority, source::text, source_name from sessions`)).rows;
  const effect = async () => (await lab.sql.query(`select state::text, payload, attempt from effects`)).rows[0];
  const until = (state: string) => expect.poll(async () => (await item()).state, { timeout: 60_000 }).toBe(state);
  const hurry = () =>
    lab.sql.query(
      `update effects set next_at = now(), lease_until = now() - interval '1 s' where state in ('Pending', 'Sending')`,
    );

  const dangerous = [
    'afterSpool',
    'beforeStartCommit',
    'afterStartCommit',
    'afterEffect',
    'insideEffectCommit',
  ] as const;

  test('is fetched, and becomes a session as one that was sent', async () => {
    expect(await ask()).toEqual({ isDuplicate: false });
    expect(await ask()).toEqual({ isDuplicate: true });
    expect(await item()).toMatchObject({ state: 'Retry', reason: null, way: 'api', source_name: 'press · WEB-1' });
    start();
    await until('Accepted');
    expect(await sessions()).toEqual([
      expect.objectContaining({ file_name: 'card.pdf', external_id: 'WEB-1', priority: 1, source: 'ExternalApi' }),
    ]);
    const { rows } = await lab.sql.query(`select size::int from files where kind = 'OriginalFile'`);
    expect(rows).toEqual([{ size: bytes.length }]);
    // An address may hold what opens it: it is not kept longer than it is needed.
    await expect.poll(async () => (await effect()).payload.fileUrl).toBe('');
    await expect(ask({ fileUrl: address('other.pdf') })).rejects.toMatchObject({
      problems: [{ code: 'delivery.differs' }],
    });
    await lab.settled();
    expect(await lab.broken()).toEqual([]);
  });

  test.each(isNight ? dangerous : (['insideEffectCommit'] as const))(
    'a worker killed (SIGKILL) at %s leaves one session',
    async (place) => {
      await ask();
      expect(await start(`${place}:kill`).ended).toBe('SIGKILL');
      await hurry();
      start();
      await until('Accepted');
      await expect.poll(async () => (await effect()).state, { timeout: 60_000 }).toBe('Done');
      expect(await sessions()).toHaveLength(1);
      await lab.settled();
      expect(await lab.broken()).toEqual([]);
    },
  );

  test('a worker killed in the middle of a download does not lose it @night', async () => {
    answers = [
      (_, response) => response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, 50_000)),
      whole(),
    ];
    await ask();
    const first = start();
    await expect.poll(() => asked.length, { timeout: 60_000 }).toBe(1);
    first.child.kill('SIGKILL');
    await first.ended;
    await hurry();
    start();
    await until('Accepted');
    expect(await sessions()).toHaveLength(1);
  });

  test('what is refused tells why, and is tried again when somebody asks', async () => {
    answers = [refuse(404)];
    await ask();
    start();
    await until('Rejected');
    expect(await item()).toMatchObject({ reason: 'address.refused', reason_params: { status: 404 } });
    expect(await effect()).toMatchObject({ state: 'Dead', attempt: 1 });
    answers = [whole()];
    await lab.deps.database.withSubscriber(lab, (tx) => fetchAgain(tx, 'key:order-1'));
    await until('Accepted');
    expect(await item()).toMatchObject({ reason: null });
  });

  test('what may pass is tried again by itself, and says meanwhile what it waits for', async () => {
    answers = [refuse(503), whole()];
    await ask();
    start();
    await expect.poll(async () => (await item()).reason, { timeout: 60_000 }).toBe('address.refused');
    expect((await item()).state).toBe('Retry');
    await hurry();
    await until('Accepted');
  });

  test('a blocked address, a file that is too large and a workflow that is gone are refused at once', async () => {
    const cases: [Partial<AskedFile>, Answer, string][] = [
      [{ fileUrl: 'http://127.0.0.1:9/a.pdf' }, whole(), 'address.blocked'],
      [{}, (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(), 'address.blocked'],
      [
        {},
        (_, response) => response.writeHead(200, { 'content-length': 65 * 1024 * 1024 }).write('%'),
        'file.tooLarge',
      ],
      [{ workflowId: 'wfl_gone' }, whole(), 'resource.notFound'],
    ];
    start();
    for (const [at, [change, answer, code]] of cases.entries()) {
      answers = [answer];
      const ingestKey = `key:refused-${at}`;
      await ask({ ...change, ingestKey });
      const reason = async () =>
        (await lab.sql.query(`select state::text, reason from ingest_items where source_key = $1`, [ingestKey]))
          .rows[0];
      await expect.poll(reason, { timeout: 60_000 }).toEqual({ state: 'Rejected', reason: code });
    }
    expect(await sessions()).toEqual([]);
  });
});
