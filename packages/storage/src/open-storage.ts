import path from 'node:path';
import type { Storage } from './blob.ts';
import { openDiskStorage } from './disk.ts';
import { openS3Storage } from './s3.ts';
import type { S3Options } from './s3-client.ts';

/** Opens the configured store: S3 where it is set, else the disk. `app` names the cache folder of the process. */
export const openStorage = (
  { dataDir, s3 }: { dataDir: string; s3: Omit<S3Options, 'cacheFolder'> | undefined },
  app: string,
): Storage =>
  s3 ? openS3Storage({ ...s3, cacheFolder: path.join(dataDir, 'cache', app) }) : openDiskStorage({ folder: dataDir });
