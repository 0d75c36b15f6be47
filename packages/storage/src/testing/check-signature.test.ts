import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { clientOptions } from '../s3-client.ts';
import { checkSignature } from './check-signature.ts';
import { startTestS3, type TestS3 } from './s3.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 's3-signatures-'));
let s3: TestS3;
beforeAll(async () => {
  s3 = await startTestS3(folder);
});
afterAll(async () => {
  await s3.stop();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  vi.useRealTimers();
});

const Key = 'in a folder/ä (1)+2*’s.txt';
const clientOf = (change: Partial<TestS3> = {}) =>
  new S3Client({ ...clientOptions({ ...s3, ...change }), maxAttempts: 1 });
const put = (client: S3Client, Body: string | Readable = 'words', ContentLength = 5) =>
  client.send(new PutObjectCommand({ Bucket: s3.bucket, Key, Body, ContentLength })).then(
    () => 'taken',
    ({ name }: Error) => name,
  );

test('what is signed with its key is taken, whatever the name of the object, read whole or from a stream', async () => {
  expect(await put(clientOf())).toBe('taken');
  expect(await put(clientOf(), Readable.from([Buffer.from('bytes')]))).toBe('taken');
  const { Body } = await clientOf().send(new GetObjectCommand({ Bucket: s3.bucket, Key }));
  expect(await Body?.transformToString()).toBe('bytes');
});

test('a wrong secret and an unknown key are refused, and nothing is stored', async () => {
  expect(await put(clientOf(), 'right')).toBe('taken');
  expect(await put(clientOf({ secretAccessKey: 'S3RVEr' }), 'wrong')).toBe('SignatureDoesNotMatch');
  expect(await put(clientOf({ accessKeyId: 'OTHER' }), 'wrong')).toBe('InvalidAccessKeyId');
  expect(await put(clientOf({ secretAccessKey: '' }), 'wrong')).not.toBe('taken');
  const { Body } = await clientOf().send(new GetObjectCommand({ Bucket: s3.bucket, Key }));
  expect(await Body?.transformToString()).toBe('right');
});

/** Sends what the client has signed otherwise than it was. */
async function changed(change: (request: { headers: Record<string, string>; path: string; body?: unknown }) => void) {
  const client = clientOf();
  client.middlewareStack.add(
    (next) => (input) => {
      change(input.request as Parameters<typeof change>[0]);
      return next(input);
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  return put(client);
}

test.each<[string, Parameters<typeof changed>[0], string]>([
  ['nothing (control)', () => undefined, 'taken'],
  ['the name', (request) => (request.path += 'x'), 'SignatureDoesNotMatch'],
  ['the body', (request) => (request.body = 'other'), 'XAmzContentSHA256Mismatch'],
  ['a header that is not signed', ({ headers }) => (headers['x-amz-acl'] = 'public-read'), 'AccessDenied'],
  ['no signature', ({ headers }) => delete headers.authorization, 'AccessDenied'],
  [
    'a body in signed pieces',
    ({ headers }) => (headers['x-amz-content-sha256'] = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD'),
    'NotImplemented',
  ],
])('changed on the way: %s', async (_, change, answer) => {
  expect(await changed(change)).toBe(answer);
});

/** The examples of the documentation of S3 with their keys, dates and signatures (“Examples: Signature Calculations”, “Query parameters”). */
const example = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const given = (url: string, headers: Record<string, string>) =>
  ({
    method: 'GET',
    url,
    headers: { host: 'examplebucket.s3.amazonaws.com', ...headers },
  }) as unknown as IncomingMessage;
const authorization = (names: string, signature: string) =>
  `AWS4-HMAC-SHA256 Credential=${example.accessKeyId}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${signature}`;
const signedAt = { 'x-amz-date': '20130524T000000Z', 'x-amz-content-sha256': empty };
const ofObject = given('/test.txt', {
  ...{ ...signedAt, range: 'bytes=0-9' },
  authorization: authorization(
    'host;range;x-amz-content-sha256;x-amz-date',
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ),
});
const ofList = given('/?max-keys=2&prefix=J', {
  ...signedAt,
  authorization: authorization(
    'host;x-amz-content-sha256;x-amz-date',
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ),
});
const ofAddress = given(
  `/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${example.accessKeyId}%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404`,
  {},
);

test.each([
  ['an object', ofObject, '2013-05-24T00:14:00Z', undefined],
  ['an object, too late', ofObject, '2013-05-24T00:16:00Z', 'RequestTimeTooSkewed'],
  ['an object, too early', ofObject, '2013-05-23T23:44:00Z', 'RequestTimeTooSkewed'],
  ['a list', ofList, '2013-05-24T00:00:00Z', undefined],
  ['an address that was signed before', ofAddress, '2013-05-24T23:59:00Z', undefined],
  ['such an address on the next day', ofAddress, '2013-05-25T00:01:00Z', 'AccessDenied'],
] as const)('examples of the documentation: %s', (_, request, at, refusal) => {
  vi.useFakeTimers({ now: new Date(at) });
  expect(checkSignature(request, example)).toBe(refusal);
  const wrong = { ...example, secretAccessKey: `${example.secretAccessKey}x` };
  expect(checkSignature(request, wrong)).toBe(refusal ?? 'SignatureDoesNotMatch');
});
