import { createHash, randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import http from 'node:http';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedSamples } from '../setup/seed-samples.ts';
import { type Lab, type SignedIn, startLab } from '../testing/lab.ts';
import { pathOf, sizeOnDisk, sweepUploads } from './upload-files.ts';

let lab: Lab;
let ana: SignedIn;
let origin: string;
let workflowId: string;

beforeAll(async () => {
  lab = await startLab();
  const subscriberId = await lab.makeSubscriber('Paper + Ink');
  ana = await lab.signIn(await lab.makeAdministrator(subscriberId, 'ana@example.com'));
  await seedSamples(lab.deps, { subscriberId, userId: ana.id, name: 'Ana' });
  workflowId =
    (await lab.call<{ items: { id: string }[] }>('GET', '/workflows', { as: ana })).result.items[0]?.id ?? '';
  origin = await lab.listen();
});
afterAll(() => lab.stop());

const tus = { 'tus-resumable': '1.0.0' };
const base64 = (text: string) => Buffer.from(text).toString('base64');
const metadata = (filename: string, extra: Record<string, string> = {}) =>
  Object.entries({ filename, workflowId, ...extra })
    .map(([key, value]) => `${key} ${base64(value)}`)
    .join(',');
const begin = async (size: number, header = metadata('card.pdf')): Promise<string> => {
  const answer = await lab.call('POST', '/uploads', {
    as: ana,
    headers: { ...tus, 'upload-length': String(size), 'upload-metadata': header },
  });
  expect(answer.statusCode).toBe(201);
  return String(answer.headers.location).replace('/api', '');
};
const patch = (url: string, offset: number, bytes: Buffer, headers: Record<string, string> = {}) =>
  lab.call('PATCH', url, {
    as: ana,
    body: bytes,
    headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset), ...headers },
  });
const offsetOf = async (url: string) =>
  Number((await lab.call('HEAD', url, { as: ana, headers: tus })).headers['upload-offset']);
const sessionOf = async (url: string) =>
  (await lab.call<{ sessionId: string | null }>('GET', url, { as: ana })).result.sessionId;
const hashOf = async (sessionId: string | null) => {
  const session = (
    await lab.call<{ files: { kind: string; sha256: string; sizeBytes: number }[] }>('GET', `/sessions/${sessionId}`, {
      as: ana,
    })
  ).result;
  return session.files.find(({ kind }) => kind === 'OriginalFile')?.sha256;
};
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const idOf = (url: string) => url.split('/').at(-1) ?? '';

const arrived = (url: string, bytes: number) =>
  expect.poll(() => sizeOnDisk(lab.deps, idOf(url))).toBeGreaterThanOrEqual(bytes);

/** Sends the beginning of a chunk and closes the connection once some of it has arrived. */
const breakOff = (url: string, offset: number, bytes: Buffer, declared: number): Promise<void> =>
  new Promise((resolve) => {
    const request = http.request(`${origin}/api${url}`, {
      method: 'PATCH',
      headers: {
        ...tus,
        authorization: `Bearer ${ana.token}`,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': offset,
        'content-length': declared,
      },
    });
    request.on('error', () => resolve());
    request.write(bytes);
    void arrived(url, offset + 1).then(() => request.destroy());
    request.on('close', () => resolve());
  });

test('the web app’s client uploads in chunks, and the last answer names the session', async () => {
  const bytes = randomBytes(3_000_000);
  const sessionId = await new Promise<string | undefined>((resolve, reject) => {
    const upload = new Upload(bytes, {
      endpoint: `${origin}/api/uploads`,
      chunkSize: 700_000,
      headers: { authorization: `Bearer ${ana.token}` },
      metadata: { filename: 'Visitenkarte größer.pdf', workflowId },
      retryDelays: null,
      onAfterResponse: (_request, response) => {
        const id = response.getHeader('x-session-id');
        if (id) resolve(id);
      },
      onError: reject,
    });
    upload.start();
  });
  const session = (
    await lab.call<{ fileName: string; status: string; sourceType: string }>('GET', `/sessions/${sessionId}`, {
      as: ana,
    })
  ).result;
  expect(session).toMatchObject({
    fileName: 'Visitenkarte größer.pdf',
    status: 'InQueue',
    sourceType: 'ManualInjected',
  });
  expect(await hashOf(sessionId ?? '')).toBe(sha256(bytes));
});

test('an interrupted upload goes on where its bytes ended, with the hash of the whole file', async () => {
  const bytes = randomBytes(500_000);
  const url = await begin(bytes.length);
  await breakOff(url, 0, bytes.subarray(0, 200_000), bytes.length);
  const offset = await offsetOf(url);
  expect(offset).toBeGreaterThan(0);
  expect(offset).toBeLessThanOrEqual(200_000);
  const last = await patch(url, offset, bytes.subarray(offset));
  expect(last.statusCode).toBe(204);
  expect(await hashOf(await sessionOf(url))).toBe(sha256(bytes));
});

test('after a crash it goes on from the smaller offset of row and file', async () => {
  const bytes = randomBytes(100_000);
  const url = await begin(bytes.length);
  await patch(url, 0, bytes.subarray(0, 60_000));
  // A new process has no hash in memory, and the last bytes were never flushed to disk.
  lab.deps.uploads.hashes.clear();
  const { truncate } = await import('node:fs/promises');
  const { pathOf } = await import('./upload-files.ts');
  await truncate(pathOf(lab.deps, idOf(url)), 50_000);
  expect(await offsetOf(url)).toBe(50_000);
  expect((await patch(url, 50_000, bytes.subarray(50_000))).statusCode).toBe(204);
  expect(await hashOf(await sessionOf(url))).toBe(sha256(bytes));
});

test('when the last answer is lost, repeating the request answers the same session', async () => {
  const bytes = Buffer.from('%PDF-1.4 lost');
  const url = await begin(bytes.length);
  const first = await patch(url, 0, bytes);
  const again = await patch(url, bytes.length, Buffer.alloc(0));
  expect(again.statusCode).toBe(204);
  expect(again.headers['x-session-id']).toBe(first.headers['x-session-id']);
  expect(await offsetOf(url)).toBe(bytes.length);
  expect((await lab.call('HEAD', url, { as: ana, headers: tus })).headers['x-session-id']).toBe(
    first.headers['x-session-id'],
  );
});

test('a process that ends between the last byte and the session loses nothing', async () => {
  const bytes = Buffer.from('%PDF-1.4 died in between');
  const url = await begin(bytes.length);
  // All bytes are stored and counted, but there is no session yet.
  await patch(url, 0, bytes.subarray(0, 10));
  const { appendFile } = await import('node:fs/promises');
  const { pathOf } = await import('./upload-files.ts');
  await appendFile(pathOf(lab.deps, idOf(url)), bytes.subarray(10));
  await lab.deps.db.asHost((tx) => tx.$executeRaw`update uploads set "offset" = declared_size where id = ${idOf(url)}`);
  lab.deps.uploads.hashes.clear();
  expect((await patch(url, bytes.length, Buffer.alloc(0))).statusCode).toBe(204);
  expect(await hashOf(await sessionOf(url))).toBe(sha256(bytes));
});

describe('the protocol', () => {
  test('a wrong offset is 409, a foreign protocol version 400, a wrong type 415', async () => {
    const url = await begin(100);
    expect((await patch(url, 10, Buffer.alloc(10))).statusCode).toBe(409);
    expect(
      (
        await lab.call('PATCH', url, {
          as: ana,
          headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
        })
      ).statusCode,
    ).toBe(400);
    expect(
      (await lab.call('PATCH', url, { as: ana, body: {}, headers: { ...tus, 'upload-offset': '0' } })).statusCode,
    ).toBe(415);
  });

  test('more bytes than declared are refused and not kept', async () => {
    const url = await begin(10);
    expect((await patch(url, 0, Buffer.alloc(20))).statusCode).toBe(413);
    expect(await offsetOf(url)).toBe(0);
  });

  test('a wrong checksum cuts the chunk off again; the right one passes', async () => {
    const bytes = randomBytes(5000);
    const url = await begin(10_000);
    const wrong = await patch(url, 0, bytes, { 'upload-checksum': `sha256 ${base64('wrong')}` });
    expect([wrong.statusCode, wrong.envelope.errors[0]?.code]).toEqual([460, 'upload.checksumMismatch']);
    expect(await offsetOf(url)).toBe(0);
    expect(await sizeOnDisk(lab.deps, idOf(url))).toBe(0);
    const right = { 'upload-checksum': `sha256 ${createHash('sha256').update(bytes).digest('base64')}` };
    expect((await patch(url, 0, bytes, right)).statusCode).toBe(204);
    expect((await patch(url, 5000, bytes, right)).statusCode).toBe(204);
    expect(await hashOf(await sessionOf(url))).toBe(sha256(Buffer.concat([bytes, bytes])));
    expect((await patch(await begin(5), 0, Buffer.alloc(5), { 'upload-checksum': 'crc32 x' })).statusCode).toBe(400);
  });

  test('is 423 while another process writes', async () => {
    const url = await begin(100);
    await lab.deps.db.asHost(
      (tx) => tx.$executeRaw`
        update uploads set metadata = metadata || jsonb_build_object('writer', 'other', 'until', clock_timestamp() + interval '20 seconds')
         where id = ${idOf(url)}`,
    );
    expect((await patch(url, 0, Buffer.alloc(10))).statusCode).toBe(423);
    await lab.deps.db.asHost(
      (tx) =>
        tx.$executeRaw`update uploads set metadata = metadata || '{"until": "2020-01-01"}'::jsonb where id = ${idOf(url)}`,
    );
    expect((await patch(url, 0, Buffer.alloc(10))).statusCode).toBe(204);
  });

  test('a sender that connects again takes over from its earlier connection', async () => {
    const bytes = randomBytes(300_000);
    const url = await begin(bytes.length);
    const hanging = http.request(`${origin}/api${url}`, {
      method: 'PATCH',
      headers: {
        ...tus,
        authorization: `Bearer ${ana.token}`,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': 0,
        'content-length': bytes.length,
      },
    });
    hanging.on('error', () => undefined);
    hanging.write(bytes.subarray(0, 100_000));
    await arrived(url, 100_000);
    const offset = await offsetOf(url);
    expect(offset).toBe(100_000);
    expect((await patch(url, offset, bytes.subarray(offset))).statusCode).toBe(204);
    hanging.destroy();
    expect(await hashOf(await sessionOf(url))).toBe(sha256(bytes));
  });

  test('what would be refused at the end is refused at the start', async () => {
    const create = (headers: Record<string, string>) =>
      lab.call('POST', '/uploads', { as: ana, headers: { ...tus, ...headers } });
    expect(
      (await create({ 'upload-length': String(5 * 1024 ** 3), 'upload-metadata': metadata('a.pdf') })).statusCode,
    ).toBe(413);
    expect((await create({ 'upload-length': '-1', 'upload-metadata': metadata('a.pdf') })).statusCode).toBe(400);
    expect(
      (await create({ 'upload-length': '1', 'upload-metadata': `workflowId ${base64('wfl_none')}` })).statusCode,
    ).toBe(404);
    expect(
      (await create({ 'upload-length': '1', 'upload-metadata': metadata('a.pdf', { variables: 'no json' }) }))
        .statusCode,
    ).toBe(400);
    expect((await create({ 'upload-length': '1', 'upload-metadata': `x ${'A'.repeat(5000)}` })).statusCode).toBe(400);
    await lab.call('PUT', `/workflows/${workflowId}/enabled`, { as: ana, body: { isEnabled: false } });
    expect(
      (await create({ 'upload-length': '1', 'upload-metadata': metadata('a.pdf') })).envelope.errors[0]?.code,
    ).toBe('workflow.disabled');
    await lab.call('PUT', `/workflows/${workflowId}/enabled`, { as: ana, body: { isEnabled: true } });
  });

  test('an empty file becomes a session that fails', async () => {
    const url = await begin(0);
    expect(await sessionOf(url)).toMatch(/^ses_/);
  });

  test('names are cleaned and never become a path', async () => {
    const url = await begin(3, metadata('../../etc/\u202epasswd\u0000.pdf'));
    await patch(url, 0, Buffer.from('abc'));
    const session = (await lab.call<{ fileName: string }>('GET', `/sessions/${await sessionOf(url)}`, { as: ana }))
      .result;
    expect(session.fileName).toBe('passwd.pdf');
  });

  test('a cancelled or idle upload is removed with its bytes', async () => {
    const [given, idle] = [await begin(100), await begin(100)];
    await patch(idle, 0, Buffer.alloc(10));
    expect((await lab.call('DELETE', given, { as: ana, headers: tus })).statusCode).toBe(204);
    await lab.deps.db.asHost(
      (tx) => tx.$executeRaw`update uploads set expires_at = now() - interval '1 hour' where id = ${idOf(idle)}`,
    );
    await sweepUploads(lab.deps, lab.deps.uploads);
    for (const url of [given, idle]) {
      expect((await lab.call('HEAD', url, { as: ana, headers: tus })).statusCode).toBe(404);
      expect(await sizeOnDisk(lab.deps, idOf(url))).toBeUndefined();
    }
  });

  test('a process that has not got the bytes says so, and takes the upload from nobody', async () => {
    const url = await begin(20);
    await patch(url, 0, Buffer.alloc(10));
    const file = pathOf(lab.deps, idOf(url));
    // As the process on another machine sees it.
    await rename(file, `${file}.elsewhere`);
    expect((await patch(url, 10, Buffer.alloc(10))).statusCode).toBe(404);
    expect((await lab.call('HEAD', url, { as: ana, headers: tus })).statusCode).toBe(404);
    await rename(`${file}.elsewhere`, file);
    expect((await patch(url, 10, Buffer.alloc(10))).statusCode).toBe(204);
    expect(await sessionOf(url)).toMatch(/^ses_/);
  });

  test('tells its version and extensions', async () => {
    const { headers } = await lab.call('OPTIONS', '/uploads');
    expect(headers['tus-extension']).toBe('creation,termination,expiration,checksum');
    expect(headers['tus-version']).toBe('1.0.0');
  });
});
