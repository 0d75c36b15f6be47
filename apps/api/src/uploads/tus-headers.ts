import { problem } from '@pdf2press/contract';
import { InvalidRequestError } from '../frame/read-part.ts';

/** Supported version and extensions of the tus protocol (1.0.0): neither concatenation nor deferred length. */
export const tusVersion = '1.0.0';
export const tusExtensions = 'creation,termination,expiration,checksum';
export const checksumAlgorithms = ['sha256', 'sha1', 'md5'] as const;
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];

const maxMetadata = 4096;

/** `Upload-Metadata`: comma-separated `key base64`. Unknown keys are left out. @throws InvalidRequestError */
export function readMetadata(header: string | undefined): Map<string, string> {
  if ((header?.length ?? 0) > maxMetadata)
    throw new InvalidRequestError([
      { code: 'value.maxLength', params: { max: maxMetadata }, field: 'Upload-Metadata' },
    ]);
  const entries = (header ?? '').split(',').map((pair) => pair.trim().split(/\s+/));
  return new Map(
    entries
      .filter(([key]) => key !== undefined && /^[\w.-]{1,60}$/.test(key))
      .map(([key = '', value = '']) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  );
}

/** A header that must be a whole number of bytes. @throws InvalidRequestError */
export function readBytes(header: string | string[] | undefined, field: string): number {
  const value = Number(header);
  if (typeof header !== 'string' || !/^\d+$/.test(header) || !Number.isSafeInteger(value))
    throw new InvalidRequestError([{ code: 'value.integer', field }]);
  return value;
}

/** `Upload-Checksum: sha256 <base64>`. @throws ProblemError for an algorithm that is not supported */
export function readChecksum(
  header: string | string[] | undefined,
): { algorithm: ChecksumAlgorithm; digest: Buffer } | undefined {
  if (header === undefined) return undefined;
  const [name, digest] = String(header).split(' ');
  const algorithm = checksumAlgorithms.find((known) => known === name);
  if (!algorithm || !digest) throw problem('request.invalid', {}, 'Upload-Checksum');
  return { algorithm, digest: Buffer.from(digest, 'base64') };
}
