import S3rver from 's3rver';

/** What a client of the test server needs; the names are those of the environment's S3_*. */
export interface TestS3 {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  stop: () => Promise<void>;
}

/**
 * A real S3 server over HTTP, at a port that is given or any, with an empty bucket, which keeps its objects in a folder. It takes any secret, so nothing
 * it answers says anything about authentication.
 */
export async function startTestS3(folder: string, bucket = 'files', at = 0): Promise<TestS3> {
  const server = new S3rver({
    port: at,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket,
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    stop: () => server.close(),
  };
}
