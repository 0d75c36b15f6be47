import { z } from 'zod';

/* Names of buckets and regions as S3 knows them. An address may be built from both, so neither can name another host. */

/** 3 to 63 lower-case letters, digits, points and hyphens; the first and the last is a letter or a digit. */
export const isBucketName = (text: string): boolean => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text);

/** 1 to 40 lower-case letters, digits and hyphens. */
export const isRegionName = (text: string): boolean => /^[a-z0-9-]{1,40}$/.test(text);

/* Forms and routes read names by these schemas, so both say the same of one that is wrong. */

const isBucket = [isBucketName, { params: { code: 'value.bucketName' } }] as const;
const isRegion = [isRegionName, { params: { code: 'value.regionName' } }] as const;
const orEmpty = ([isName, said]: typeof isBucket | typeof isRegion) =>
  z
    .string()
    .trim()
    .refine((text) => text === '' || isName(text), said);
const needed = z.string().trim().min(1, { abort: true });

export const bucketNameSchema = needed.refine(...isBucket);
export const regionNameSchema = needed.refine(...isRegion);
/** As `bucketNameSchema`; empty = named elsewhere. */
export const bucketNameOrEmptySchema = orEmpty(isBucket);
export const regionNameOrEmptySchema = orEmpty(isRegion);
