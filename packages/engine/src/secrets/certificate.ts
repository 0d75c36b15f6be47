import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type Certificate, certificateSchema, type ProofRecord, recordsIn } from '@pdf2press/contract';
import type { InstanceKeys } from './instance-key.ts';

/*
 * A certificate is a PDF whose last line is a comment with a public key and a signature over every byte before it. The
 * line is found from the end and must be exactly this long, so that nothing can be added behind it.
 */

const mark = '%pdf2press-certificate 1 ';
/** The line begins with a line feed: key and signature in lower case hexadecimal, so that each has one spelling only. */
const lastLine = /^\n%pdf2press-certificate 1 ([0-9a-f]{64}) ([0-9a-f]{128})\n$/;
const lastLineBytes = 1 + mark.length + 64 + 1 + 128 + 1;

/** Beginnings of an Ed25519 key in DER (RFC 8410); the 32 bytes of the key follow. */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** The installation's own key, with which it signs (Ed25519). */
export const privateKeyOf = (keys: InstanceKeys): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([privatePrefix, keys.derive('sign certificates')]),
    format: 'der',
    type: 'pkcs8',
  });

const publicKeyOf = (hex: string): KeyObject =>
  createPublicKey({ key: Buffer.concat([publicPrefix, Buffer.from(hex, 'hex')]), format: 'der', type: 'spki' });

const hexOf = (key: KeyObject): string =>
  key.export({ format: 'der', type: 'spki' }).subarray(publicPrefix.length).toString('hex');

/** The key that certificates of this installation are verified with, as PEM; it is no secret. */
export const certificateKey = (keys: InstanceKeys): string =>
  createPublicKey(privateKeyOf(keys)).export({ format: 'pem', type: 'spki' }).toString();

/** What is signed: the purpose, the key, and the SHA-256 of the document. */
const signedText = (document: Buffer, key: string): Buffer =>
  Buffer.from(`${mark}${key} ${createHash('sha256').update(document).digest('hex')}`);

/** Signs a PDF with the installation's key; the result is a certificate. */
export function signCertificate(document: Uint8Array, keys: InstanceKeys): Buffer {
  const bytes = Buffer.from(document);
  const privateKey = privateKeyOf(keys);
  const key = hexOf(createPublicKey(privateKey));
  const signature = sign(null, signedText(bytes, key), privateKey).toString('hex');
  return Buffer.concat([bytes, Buffer.from(`\n${mark}${key} ${signature}\n`)]);
}

/**
 * `notSigned`: no certificate, or cut off or something was added; `changed`: the signature does not fit the bytes;
 * `otherKey`: whole, but signed by somebody else.
 */
export type SealFault = 'notSigned' | 'changed' | 'otherKey';

/**
 * Whether a certificate is as the holder of `trustedKey` signed it. Nothing of the file is read before that is known.
 * @param trustedKey PEM of the public key
 * @throws when `trustedKey` is no Ed25519 key
 */
export function sealFault(certificate: Uint8Array, trustedKey: string): SealFault | null {
  const trusted = createPublicKey(trustedKey);
  if (trusted.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 key');
  const bytes = Buffer.from(certificate);
  const end = bytes.length - lastLineBytes;
  const line = end < 0 ? null : lastLine.exec(bytes.subarray(end).toString('latin1'));
  if (!line || !bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) return 'notSigned';
  const [, key = '', signature = ''] = line;
  const isSigned = verify(
    null,
    signedText(bytes.subarray(0, end), key),
    publicKeyOf(key),
    Buffer.from(signature, 'hex'),
  );
  if (!isSigned) return 'changed';
  return key === hexOf(trusted) ? null : 'otherKey';
}

/** The record of a certificate. @throws Error when it contradicts itself */
export function readRecord(text: string): { certificate: Certificate; records: { no: number; record: ProofRecord }[] } {
  const certificate = certificateSchema.parse(JSON.parse(text));
  for (const { previousHash, hash, text: chained } of certificate.records) {
    const made = createHash('sha256').update(Buffer.from(previousHash, 'hex')).update(chained, 'utf8').digest('hex');
    if (made !== hash) throw new Error('a decision does not fit its hash');
  }
  for (const [sha256, notes] of Object.entries(certificate.notes ?? {}))
    if (createHash('sha256').update(notes).digest('hex') !== sha256) throw new Error('notes do not fit their hash');
  const records = recordsIn(certificate);
  for (const { record } of records) {
    const isOfProof = record.proofId === certificate.proofId && record.sessionId === certificate.sessionId;
    if (!isOfProof) throw new Error('a decision is on another proof');
    if (record.proofSha256 !== certificate.proofSha256) throw new Error('a decision is on another file');
  }
  if (certificate.productionSha256 !== certificate.proofSha256)
    throw new Error('the file that went to production is not the one that was decided on');
  return { certificate, records };
}
