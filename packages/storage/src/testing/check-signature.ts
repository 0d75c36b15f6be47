/* Signature Version 4 of S3 (docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html), as a service checks it. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface KeyPair {
  accessKeyId: string;
  secretAccessKey: string;
}

/** Why a request is refused, as S3 calls it; undefined where it is what its sender signed. */
export type Refusal =
  | 'AccessDenied'
  | 'AuthorizationHeaderMalformed'
  | 'InvalidAccessKeyId'
  | 'NotImplemented'
  | 'RequestTimeTooSkewed'
  | 'SignatureDoesNotMatch';

const algorithm = 'AWS4-HMAC-SHA256';
const mostSkewMs = 15 * 60_000;
const mostExpirySeconds = 7 * 86_400;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** As RFC 3986 has it: all but letters, digits and `-._~`. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** What is signed: the parts of an Authorization header, or the parameters of an address that was signed before it is used. */
interface Signed {
  credential: string;
  names: string[];
  signature: string;
  /** As in `20261128T220000Z`. */
  at: string;
  /** Seconds after `at`; an address is good until then. */
  expires?: number;
  /** Of the body, or what stands for it. */
  payload: string;
}

function signedIn({ headers }: IncomingMessage, { searchParams: asked }: URL): Signed | undefined {
  const one = (name: string) => String(headers[name] ?? '');
  const [, parts = ''] = one('authorization').split(`${algorithm} `);
  const field = (name: string) => new RegExp(`(?:^|[, ])${name}=([^, ]+)`).exec(parts)?.[1] ?? '';
  if (parts)
    return {
      ...{ credential: field('Credential'), names: field('SignedHeaders').split(';'), signature: field('Signature') },
      ...{ at: one('x-amz-date'), payload: one('x-amz-content-sha256') },
    };
  if (asked.get('X-Amz-Algorithm') !== algorithm) return undefined;
  const of = (name: string) => asked.get(`X-Amz-${name}`) ?? '';
  return {
    ...{ credential: of('Credential'), names: of('SignedHeaders').split(';'), signature: of('Signature') },
    ...{ at: of('Date'), expires: Number(of('Expires')), payload: 'UNSIGNED-PAYLOAD' },
  };
}

const timeOf = (at: string): number =>
  Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

function canonical({ method, headers }: IncomingMessage, url: URL, { names, payload }: Signed): string {
  const asked = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort();
  const lines = names.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}`,
  );
  const path = url.pathname
    .split('/')
    .map((part) => encoded(decodeURIComponent(part)))
    .join('/');
  return [method, path, asked.join('&'), ...lines, '', names.join(';'), payload].join('\n');
}

/**
 * Checks the signature of a request, in its header or in its address. A body that is signed in pieces is not implemented, and
 * refused. That the body has the sum that was signed is for the caller, who reads it.
 */
export function checkSignature(
  request: IncomingMessage,
  { accessKeyId, secretAccessKey }: KeyPair,
): Refusal | undefined {
  const url = new URL(request.url ?? '/', 'http://store');
  const signed = signedIn(request, url);
  // Nobody is let in without.
  if (!signed) return 'AccessDenied';
  const { credential, names, signature, at, expires, payload } = signed;
  const [id, day = '', region = '', service, end] = credential.split('/');
  if (service !== 's3' || end !== 'aws4_request' || !names.includes('host') || !at.startsWith(day))
    return 'AuthorizationHeaderMalformed';
  if (id !== accessKeyId) return 'InvalidAccessKeyId';
  if (payload !== 'UNSIGNED-PAYLOAD' && !/^[0-9a-f]{64}$/.test(payload)) return 'NotImplemented';
  const age = Date.now() - timeOf(at);
  if (Number.isNaN(age)) return 'AccessDenied';
  if (expires === undefined ? Math.abs(age) > mostSkewMs : !(expires <= mostExpirySeconds && age <= expires * 1_000))
    return expires === undefined ? 'RequestTimeTooSkewed' : 'AccessDenied';
  // What a header says of a request is signed, or anybody on the way could change it.
  const unsigned = Object.keys(request.headers).some((name) => name.startsWith('x-amz-') && !names.includes(name));
  if (unsigned && expires === undefined) return 'AccessDenied';
  const scope = [day, region, service, end];
  const key = scope.reduce<string | Buffer>((before, part) => hmac(before, String(part)), `AWS4${secretAccessKey}`);
  const text = [algorithm, at, scope.join('/'), sha256(canonical(request, url, signed))].join('\n');
  const [ours, theirs] = [hmac(key, text), Buffer.from(signature, 'hex')];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs) ? undefined : 'SignatureDoesNotMatch';
}
