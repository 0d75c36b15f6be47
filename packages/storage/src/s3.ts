import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { FileFaultError } from '@pdf2press/contract';
import type { Blob, Storage, Stored } from './blob.ts';
import { openCache } from './cache.ts';
import { checkByUse } from './check.ts';
import { clientOptions, type S3Options } from './s3-client.ts';
import { keepFile, keyOf, roomOf, type Spooled, spool } from './spool.ts';

const partBytes = 16 * 1024 * 1024;
const freshFor = 12 * 3_600_000;

/**
 * Blobs in an S3-compatible store. The name is the hash of the bytes and is known only at their end, so they are spooled
 * to disk first; the spooled file then serves as this machine's copy.
 */
export function openS3Storage(options: S3Options): Storage {
  const { bucket: Bucket, prefix = 'blobs/', storageClass, cacheFolder, cacheBytes = 10 * 1024 ** 3 } = options;
  const client = new S3Client(clientOptions(options));
  const tmp = path.join(cacheFolder, 'tmp');
  const at = (blob: Blob) => ({ Bucket, Key: prefix + keyOf(blob) });

  const head = async (blob: Blob): Promise<{ size: number; putAt: number } | undefined> => {
    try {
      const { ContentLength = 0, LastModified } = await client.send(new HeadObjectCommand(at(blob)));
      return { size: ContentLength, putAt: LastModified?.getTime() ?? 0 };
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
      throw error;
    }
  };
  const sizeOf = async (blob: Blob) => (await head(blob))?.size;
  const open: Storage['open'] = async (blob, range) => {
    const Range = range ? `bytes=${range.start}-${range.end}` : undefined;
    try {
      const { Body } = await client.send(new GetObjectCommand({ ...at(blob), ...(Range ? { Range } : {}) }));
      if (!(Body instanceof Readable)) throw new FileFaultError('STORAGE_UNAVAILABLE', { sha256: blob.sha256 });
      return Body;
    } catch (error) {
      if (error instanceof FileFaultError) throw error;
      throw new FileFaultError('STORAGE_UNAVAILABLE', { sha256: blob.sha256 }, { cause: error });
    }
  };
  const cache = openCache({ folder: path.join(cacheFolder, 'cache'), tmp, maxBytes: cacheBytes, download: open });

  /** Sends a file to the bucket; it stays where it is. */
  const send = async (blob: Blob, spooled: Spooled): Promise<void> => {
    try {
      const there = await head(blob);
      // An old object is written again, because its new time keeps the sweep from removing it.
      if (there?.size !== spooled.size || Date.now() - there.putAt > freshFor) {
        const Metadata = { sha256: spooled.sha256, size: String(spooled.size) };
        const Body = createReadStream(spooled.path, { highWaterMark: 1024 * 1024 });
        const params = { ...at(blob), Body, Metadata, ...(storageClass && { StorageClass: storageClass }) };
        await new Upload({ client, params, partSize: partBytes }).done();
        if ((await sizeOf(blob)) !== spooled.size)
          throw new FileFaultError('STORAGE_UNAVAILABLE', { sha256: blob.sha256 });
      }
    } catch (error) {
      if (error instanceof FileFaultError) throw error;
      // The caller must be able to tell an unreachable store from a wrong file or a programming error.
      throw new FileFaultError('STORAGE_UNAVAILABLE', { sha256: blob.sha256 }, { cause: error });
    }
  };
  const keepCopy = async (blob: Blob, spooled: Spooled): Promise<Stored> => {
    await cache.keep(blob, spooled);
    return { sha256: spooled.sha256, size: spooled.size };
  };

  const storage: Storage = {
    put: async (request) => {
      const spooled = await spool(tmp, request);
      const blob = { subscriberId: request.subscriberId, sha256: spooled.sha256 };
      try {
        await send(blob, spooled);
      } catch (error) {
        await rm(spooled.path, { force: true });
        throw error;
      }
      return keepCopy(blob, spooled);
    },
    adopt: async ({ subscriberId, ...file }) => {
      const blob = { subscriberId, sha256: file.sha256 };
      await send(blob, file);
      return keepFile(tmp, file, (spooled) => keepCopy(blob, spooled));
    },
    open,
    sizeOf,
    remove: async (blob, { unlessPutSince } = {}) => {
      const found = unlessPutSince && (await head(blob));
      if (found && found.putAt > unlessPutSince.getTime()) return false;
      await client.send(new DeleteObjectCommand(at(blob)));
      await cache.forget(blob);
      return true;
    },
    withLocalPath: cache.withLocalPath,
    room: () => roomOf(cacheFolder),
    check: () => checkByUse(storage),
  };
  return storage;
}
