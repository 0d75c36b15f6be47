import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import { checkSignature, type Refusal } from './check-signature.ts';

/** What a client of the test server needs; the names are those of the environment's S3_*. */
export interface TestS3 {
  endpoint: string;
  region: string;
  /** The first, where there are several. */
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  stop: () => Promise<void>;
}

const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

const statuses: Partial<Record<Refusal | 'XAmzContentSHA256Mismatch', number>> = {
  AuthorizationHeaderMalformed: 400,
  NotImplemented: 501,
  XAmzContentSHA256Mismatch: 400,
};

function refuse(
  { method }: IncomingMessage,
  response: ServerResponse,
  code: Refusal | 'XAmzContentSHA256Mismatch',
): void {
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  response.writeHead(statuses[code] ?? 403, { 'content-type': 'application/xml' });
  response.end(method === 'HEAD' ? undefined : text);
}

/** The body as it was signed: read whole where its sum is signed; undefined = it has another sum. */
async function signedBody(request: IncomingMessage): Promise<Readable | undefined> {
  const sum = request.headers['x-amz-content-sha256'];
  if (typeof sum !== 'string' || !/^[0-9a-f]{64}$/.test(sum)) return request;
  const bytes = await buffer(request);
  return createHash('sha256').update(bytes).digest('hex') === sum ? Readable.from([bytes]) : undefined;
}

/** Passes on what is signed as it must be, to a server that takes any signature. */
function passOn(port: number) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url, headers } = request;
    const refusal = checkSignature(request, keys);
    if (refusal) {
      request.resume();
      return refuse(request, response, refusal);
    }
    const body = await signedBody(request).catch(() => null);
    // Whoever sent it has gone.
    if (body === null) return;
    if (!body) return refuse(request, response, 'XAmzContentSHA256Mismatch');
    const { expect: _, ...passed } = headers;
    const far = ask({ host: '127.0.0.1', port, path: url, method, headers: passed }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    far.on('error', () => response.destroy());
    response.on('close', () => far.destroy());
    body.pipe(far);
  };
}

/**
 * A real S3 server over HTTP, at a port that is given or any, with empty buckets, whose objects it keeps in folders of their
 * names. It takes what is signed with its key (Signature Version 4), in a header or in the address, and refuses all else.
 */
export async function startTestS3(
  folder: string,
  { buckets = ['files'], at = 0 }: { buckets?: readonly [string, ...string[]]; at?: number } = {},
): Promise<TestS3> {
  const store = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: buckets.map((name) => ({ name })),
  });
  const { port: behind } = await store.run();
  // The server removes a folder that became empty also when another request is about to write there, and that error ends the
  // process. Programs that start together try the store at the same time: with a file in it, their folder stays.
  const tried = path.join(folder, buckets[0], 'blobs/check');
  mkdirSync(tried, { recursive: true });
  writeFileSync(path.join(tried, 'stays'), '');
  const server = createServer(passOn(behind));
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    bucket: buckets[0],
    ...keys,
    stop: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await store.close();
    },
  };
}
