import { isBucketName, isRegionName } from '@pdf2press/contract';

/** A bucket and its region; empty = as in the settings. */
interface Bucket {
  bucketName: string;
  region: string;
}

/** A bucket, and what opens it. */
export interface OpenedBucket extends Bucket {
  /** The stored secret that holds keys of their own; empty = the keys of the settings. */
  keysId: string;
}

/** Where a copy lies. */
export interface ArchivePlace extends OpenedBucket {
  prefix: string;
}

export interface ArchiveKeys {
  accessKey: string;
  secretKey: string | null;
}

export interface ArchivingConfig extends Bucket, ArchiveKeys {}

/** A bucket with the names of the settings where it has none of its own. */
export const namedBucket = (own: Bucket, settings: Bucket): Bucket => ({
  bucketName: own.bucketName || settings.bucketName,
  region: own.region || settings.region,
});

const areNames = ({ bucketName, region }: Bucket): boolean => isRegionName(region) && isBucketName(bucketName);
const areKeys = ({ accessKey, secretKey }: ArchiveKeys): boolean => Boolean(accessKey && secretKey);

/** Whether nothing is missing, and bucket and region are names that an S3 service can have. */
export const isWhole = (config: ArchivingConfig): boolean => areNames(config) && areKeys(config);

/** Whether a bucket can be reached: with its own names and keys, and those of the settings where it has none. */
export const isReachable = (own: OpenedBucket, settings: ArchivingConfig): boolean =>
  areNames(namedBucket(own, settings)) && (own.keysId !== '' || areKeys(settings));
