/* The door `@pdf2press/storage`: bytes by content, per subscriber, on disk or in S3. */
export type { Blob, ByteRange, PutRequest, Room, Storage, Stored } from './blob.ts';
export { demandStore } from './demand-store.ts';
export { type DiskOptions, openDiskStorage } from './disk.ts';
export { openStorage } from './open-storage.ts';
export { openS3Storage } from './s3.ts';
export type { S3Options } from './s3-client.ts';
