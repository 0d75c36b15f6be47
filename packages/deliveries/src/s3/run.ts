import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { DeliveryFaultError } from '@pdf2press/contract';
import type { z } from 'zod';
import type { DeliveryRunner, OpenTarget, Parcel } from '../delivery.ts';
import { numbered } from '../place-file.ts';
import type { s3Contract } from './contract.ts';

// The client prints a warning about the end of support for Node 20 at every start.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

type Settings = z.output<typeof s3Contract.settings>;
type Target = Pick<OpenTarget<typeof s3Contract>, 'settings' | 'secret' | 'tools' | 'signal'>;

const mostNumbers = 1_000;
const seconds = 1_000;

const serviceOf = ({ endpoint, region }: Settings): URL =>
  new URL(endpoint === '' ? `https://s3.${region}.amazonaws.com` : endpoint);

/** The address of the service, looked up and judged once. */
function addressOf({ settings, tools }: Target): Promise<string> {
  const { hostname, port, protocol } = serviceOf(settings);
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const host = hostname.replace(/^\[|\]$/g, '');
  return tools.addressOf({ host, port: port === '' ? { https: 443, http: 80 }[scheme] : Number(port), scheme });
}

function openClient({ settings, secret }: Target, address: string): S3Client {
  const family = isIP(address);
  // Every connection goes to the address that was judged, however often the name is looked up.
  const lookup: LookupFunction = (_, { all }, found) => {
    if (all) found(null, [{ address, family }]);
    else found(null, address, family);
  };
  return new S3Client({
    endpoint: serviceOf(settings).href,
    region: settings.region,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: secret.secretAccessKey },
    // With the bucket in its name, the host would be another one.
    forcePathStyle: true,
    // A body that is read from a stream cannot be sent twice; the delivery itself is repeated.
    maxAttempts: 1,
    // With the SDK's default trailing checksums, servers of other vendors store a changed body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 10 * seconds,
      // Of silence.
      socketTimeout: 60 * seconds,
      httpAgent: new PlainAgent({ lookup, keepAlive: true }),
      httpsAgent: new SecureAgent({ lookup, keepAlive: true }),
    },
  });
}

const denials = new Set([401, 403]);

function faultOf(error: unknown, { bucket }: Settings): unknown {
  if (!(error instanceof S3ServiceException)) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isOfNetwork = typeof code === 'string' || /TimeoutError/.test((error as Error)?.name);
    return isOfNetwork
      ? new DeliveryFaultError('delivery.unreachable', { text: String(message).slice(0, 200) }, { cause: error })
      : error;
  }
  const status = error.$metadata.httpStatusCode ?? 0;
  if (denials.has(status)) return new DeliveryFaultError('delivery.denied', { folder: bucket }, { cause: error });
  if (error.name === 'NoSuchBucket' || status === 404 || status === 301)
    return new DeliveryFaultError('delivery.folderMissing', { folder: bucket }, { cause: error });
  if (error.name === 'BadDigest' || error.name === 'InvalidDigest')
    return new DeliveryFaultError('delivery.damaged', {}, { cause: error });
  return new DeliveryFaultError('delivery.unreachable', { text: error.message.slice(0, 200) }, { cause: error });
}

const isStatus = (error: unknown, status: number): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;

/** A bucket that is signed in to; all errors are faults of the delivery. */
function bucketOf(target: Target, address: string) {
  const { settings, signal } = target;
  const client = openClient(target, address);
  const Bucket = settings.bucket;
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw faultOf(error, settings);
    }
  };
  const send = { abortSignal: signal };
  return {
    signIn: () => told(() => client.send(new HeadBucketCommand({ Bucket }), send)),
    /** Undefined = there is no such object. */
    head: (Key: string) =>
      told(async () => {
        try {
          return await client.send(new HeadObjectCommand({ Bucket, Key }), send);
        } catch (error) {
          if (isStatus(error, 404)) return undefined;
          throw error;
        }
      }),
    /** False = another object has the name; not every service can tell that. */
    put: (
      input: {
        Key: string;
        Body: Readable;
        ContentLength: number;
        ContentMD5: string;
        Metadata?: Record<string, string>;
        ContentType?: string;
      },
      isNew: boolean,
    ) =>
      told(async () => {
        try {
          await client.send(new PutObjectCommand({ Bucket, ...input, ...(isNew && { IfNoneMatch: '*' }) }), send);
          return true;
        } catch (error) {
          if (isStatus(error, 412) || isStatus(error, 409)) return false;
          throw error;
        } finally {
          input.Body.destroy();
        }
      }),
    read: (Key: string) =>
      told(async () => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), send);
        return Body ? await Body.transformToByteArray() : new Uint8Array();
      }),
    remove: (Key: string) => told(() => client.send(new DeleteObjectCommand({ Bucket, Key }), send)),
    close: () => client.destroy(),
  };
}
type Bucket = ReturnType<typeof bucketOf>;

const keyOf = ({ path }: Settings, names: readonly string[]): string =>
  [...path.split('/'), ...names].filter((part) => part !== '' && part !== '.' && part !== '..').join('/');

async function md5Of(file: string): Promise<string> {
  const hash = createHash('md5');
  for await (const part of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(part as Buffer);
  return hash.digest('base64');
}

const markOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * Stores the file under the first name that is free. An object tells by its metadata which delivery wrote it, so a try
 * after one whose end is unknown finds it and writes no second one.
 */
async function store(bucket: Bucket, settings: Settings, parcel: Parcel): Promise<string> {
  const { file, folder, name, collision } = parcel;
  const mark = markOf(parcel.key);
  const md5 = await md5Of(file.path);
  const most = collision === 'number' ? mostNumbers : 1;
  for (let no = 1; no <= most; no += 1) {
    const key = keyOf(settings, [...folder, numbered(name, no)]);
    const there = await bucket.head(key);
    const isOurs = there?.Metadata?.delivery === mark && there.ContentLength === file.size;
    if (isOurs) return key;
    if (there && collision !== 'replace') continue;
    const isStored = await bucket.put(
      {
        Key: key,
        Body: createReadStream(file.path, { highWaterMark: 256 * 1024 }),
        ContentLength: file.size,
        // The service refuses bytes that do not fit it.
        ContentMD5: md5,
        ContentType: file.mediaType,
        Metadata: { delivery: mark, sha256: file.sha256 },
      },
      collision !== 'replace',
    );
    if (!isStored) continue;
    const stored = await bucket.head(key);
    if (stored?.ContentLength !== file.size) throw new DeliveryFaultError('delivery.damaged');
    return key;
  }
  throw new DeliveryFaultError('delivery.nameTaken', { name });
}

export const runner: DeliveryRunner<typeof s3Contract> = {
  deliver: async (target, parcel) => {
    const bucket = bucketOf(target, await addressOf(target));
    try {
      return `s3://${target.settings.bucket}/${await store(bucket, target.settings, parcel)}`;
    } finally {
      bucket.close();
    }
  },
  tryOut: async (target, { reach }) => {
    reach('name');
    const address = await addressOf(target);
    reach('connect');
    const bucket = bucketOf(target, address);
    const key = keyOf(target.settings, [`.pdf2press-${randomBytes(6).toString('hex')}.test`]);
    const bytes = randomBytes(64);
    try {
      await bucket.signIn().catch((error: unknown) => {
        if (error instanceof DeliveryFaultError && error.code !== 'delivery.unreachable') reach('signIn');
        throw error;
      });
      reach('write');
      await bucket.put(
        {
          Key: key,
          Body: Readable.from([bytes]),
          ContentLength: bytes.length,
          ContentMD5: createHash('md5').update(bytes).digest('base64'),
        },
        false,
      );
      reach('readBack');
      if (!bytes.equals(await bucket.read(key))) throw new DeliveryFaultError('delivery.damaged');
      reach('remove');
      await bucket.remove(key);
    } finally {
      bucket.close();
    }
  },
};
