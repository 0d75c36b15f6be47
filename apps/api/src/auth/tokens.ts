import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Lifetimes in seconds. */
export const accessSeconds = 600;
/** Of an embedded page; it exchanges its embed token again for the next one. */
export const embedAccessSeconds = 900;
export const refreshIdleSeconds = 14 * 86_400;
export const refreshAbsoluteSeconds = 30 * 86_400;
/** Tabs that refresh at the same time send the same token: within this time it gives the same successor again. */
export const graceSeconds = 10;

/** 256 random bits for a link, a key or the first refresh token of a session. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of a token; the token itself never is. A plain hash suffices because the token is not guessable. */
export const hashOf = (token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(token).digest());

/**
 * The successor of a refresh token. Computed instead of random, so that a token sent twice gives the same answer although
 * only hashes are stored.
 */
export const successorOf = (key: Buffer, family: string, gen: number, parent: string): string =>
  createHmac('sha256', key).update(`${family}|${gen}|${parent}`).digest('base64url');

/** A value with a signature of ours, for cookies that only have to be recognised. */
export const sign = (key: Buffer, value: string): string =>
  `${value}.${createHmac('sha256', key).update(value).digest('base64url')}`;

/** The value when its signature is ours. */
export function readSigned(key: Buffer, signed: string | undefined): string | undefined {
  const dot = signed?.lastIndexOf('.') ?? -1;
  if (!signed || dot < 1) return undefined;
  const expected = Buffer.from(sign(key, signed.slice(0, dot)));
  const given = Buffer.from(signed);
  return expected.length === given.length && timingSafeEqual(expected, given) ? signed.slice(0, dot) : undefined;
}
