import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import S3rver from 's3rver';

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

/**
 * A real S3 server over HTTP, at a port that is given or any, with empty buckets, whose objects it keeps in folders of their
 * names. It takes any secret, so nothing it answers says anything about authentication.
 */
export async function startTestS3(
  folder: string,
  { buckets = ['files'], at = 0 }: { buckets?: readonly [string, ...string[]]; at?: number } = {},
): Promise<TestS3> {
  const server = new S3rver({
    port: at,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: buckets.map((name) => ({ name })),
  });
  const { port } = await server.run();
  // The server removes a folder that became empty also when another request is about to write there, and that error ends the
  // process. Programs that start together try the store at the same time: with a file in it, their folder stays.
  const tried = path.join(folder, buckets[0], 'blobs/check');
  mkdirSync(tried, { recursive: true });
  writeFileSync(path.join(tried, 'stays'), '');
  return {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: buckets[0],
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    stop: () => server.close(),
  };
}
