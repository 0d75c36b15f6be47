import { bucketNamePattern, regionPattern } from '@pdf2press/contract';

/** A bucket and its region; empty = as in the settings. */
interface Bucket {
  bucketName: string;
  region: string;
}

/** Where a copy lies. */
export interface ArchivePlace extends Bucket {
  prefix: string;
}

export interface ArchivingConfig extends Bucket {
  accessKey: string;
  secretKey: string | null;
}

/** A bucket with the names of the settings where it has none of its own. */
export const namedBucket = (own: Bucket, settings: Bucket): Bucket => ({
  bucketName: own.bucketName || settings.bucketName,
  region: own.region || settings.region,
});

/** Whether nothing is missing, and bucket and region are names that an S3 service can have. */
export const isWhole = ({ accessKey, bucketName, region, secretKey }: ArchivingConfig): boolean =>
  regionPattern.test(region) && bucketNamePattern.test(bucketName) && Boolean(accessKey && secretKey);
