import type { S3ClientConfig } from '@aws-sdk/client-s3';

// The client counts the years of Node 20 on the terminal at every start; nobody there can do anything about it.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

export interface S3Options {
  endpoint?: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Put before every key, for example `blobs/`. */
  prefix?: string;
  /** Folder of this process for files on their way and for downloads that children read. */
  cacheFolder: string;
  /** Bytes of downloads kept; default 10 GiB. */
  cacheBytes?: number;
}

/** How any S3-compatible service is spoken to. */
export const clientOptions = (options: Omit<S3Options, 'cacheFolder'>): S3ClientConfig => ({
  ...(options.endpoint ? { endpoint: options.endpoint } : {}),
  region: options.region,
  credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
  forcePathStyle: options.endpoint !== undefined,
  // The SDK's default trailing checksums change the body that other vendors' servers keep.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
});
