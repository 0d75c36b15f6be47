import { randomUUID } from 'node:crypto';
import { DeleteObjectCommand, PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { clientOptions, type S3Options } from './s3-client.ts';

/** Milliseconds for the store's answer at boot, over the client's three attempts. */
const patience = 8_000;

type Store = Omit<S3Options, 'cacheFolder'>;

/** The host of the address, because the whole address may hold a password. */
const placeOf = ({ endpoint, region }: Store): string =>
  endpoint ? `S3_ENDPOINT ${new URL(endpoint).host}` : `S3_REGION ${region}`;

const isOf = (names: readonly string[]) => (error: S3ServiceException) => names.includes(error.name);
const statusOf = (error: S3ServiceException) => error.$metadata.httpStatusCode;

/** Errors of a store and the variable that causes each; the first that matches counts. */
const refusals: readonly [(error: S3ServiceException) => boolean, (store: Store) => string][] = [
  [isOf(['NoSuchBucket']), ({ bucket }) => `S3_BUCKET ${bucket} does not exist`],
  [isOf(['InvalidBucketName']), ({ bucket }) => `S3_BUCKET ${bucket} is no name of a bucket`],
  [
    isOf(['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException']),
    ({ region, bucket }) => `S3_REGION ${region} is not that of S3_BUCKET ${bucket}`,
  ],
  [isOf(['InvalidAccessKeyId']), () => 'S3_ACCESS_KEY_ID is refused'],
  [isOf(['SignatureDoesNotMatch']), () => 'S3_SECRET_ACCESS_KEY is refused'],
  [
    (error) => [401, 403].includes(statusOf(error) ?? 0),
    ({ bucket }) => `S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY may not write to S3_BUCKET ${bucket}`,
  ],
];

function lineOf(error: unknown, store: Store): string {
  if (error instanceof S3ServiceException) {
    const said = refusals.find(([isSo]) => isSo(error))?.[1](store);
    return said ? `${said} (${error.name}).` : `${placeOf(store)} does not answer as S3 does (${statusOf(error)}).`;
  }
  const { name, code, $metadata, $response } = error as Error & {
    code?: string;
    $metadata?: { httpStatusCode?: number };
    $response?: { statusCode?: number };
  };
  const status = $response?.statusCode ?? $metadata?.httpStatusCode;
  if (status) return `${placeOf(store)} does not answer as S3 does (${status}).`;
  const isLate = name === 'AbortError' || name === 'TimeoutError';
  return `${placeOf(store)} does not answer (${isLate ? `within ${patience / 1000} seconds` : (code ?? name)}).`;
}

/**
 * Checks once at boot that the configured S3 store can be written to, with one small object: a HEAD of the bucket tells
 * neither a wrong key from a missing permission nor whether a key may write. A disk is not checked.
 * @throws Error with one line that names the variable
 */
export async function demandStore(store: Store | undefined): Promise<void> {
  if (!store) return;
  const client = new S3Client(clientOptions(store));
  const at = { Bucket: store.bucket, Key: `${store.prefix ?? 'blobs/'}check/${randomUUID()}` };
  const limit = { abortSignal: AbortSignal.timeout(patience) };
  try {
    await client.send(new PutObjectCommand({ ...at, Body: 'pdf2press' }), limit);
    await client.send(new DeleteObjectCommand(at), limit);
  } catch (error) {
    throw new Error(lineOf(error, store), { cause: error });
  } finally {
    client.destroy();
  }
}
