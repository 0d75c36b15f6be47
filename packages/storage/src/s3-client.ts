import type { S3ClientConfig, StorageClass } from '@aws-sdk/client-s3';

// The client prints a warning about the end of support for Node 20 at every start.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

export interface S3Options {
  endpoint?: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Put before every key, for example `blobs/`. */
  prefix?: string;
  /** The class of storage of what is put; without it the bucket's own. */
  storageClass?: StorageClass;
  /** Folder of this process for temporary files and for downloads that child processes read. */
  cacheFolder: string;
  /** Bytes of downloads kept; default 10 GiB. */
  cacheBytes?: number;
}

/** A client for any S3-compatible service. */
export const clientOptions = (options: Omit<S3Options, 'cacheFolder'>): S3ClientConfig => ({
  ...(options.endpoint ? { endpoint: options.endpoint } : {}),
  region: options.region,
  credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
  forcePathStyle: options.endpoint !== undefined,
  // With the SDK's default trailing checksums, servers of other vendors store a changed body.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
});
