import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { PasskeyAnswer } from '../auth/passkeys.ts';

/* An authenticator (WebAuthn level 2) written by itself, so that tests do not check a library against itself. */

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer): string => bytes.toString('base64url');

/** The few kinds of CBOR (RFC 8949) that a key and an attestation take. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (kind: number, count: number): Buffer =>
    count < 24
      ? Buffer.from([(kind << 5) | count])
      : count < 256
        ? Buffer.from([(kind << 5) | 24, count])
        : Buffer.from([(kind << 5) | 25, count >> 8, count & 255]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([key, inner]) => [cbor(key), cbor(inner as number)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

/** The public key as COSE writes it: ES256 on P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const entries: [number, number | Buffer][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ];
  return cbor(new Map(entries));
}

interface Site {
  challenge: unknown;
  origin?: string;
  host?: string;
}

const clientData = (type: string, { challenge, origin = 'http://localhost:3000' }: Site): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

/** A device with one key. */
export function makeAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  let counter = 0;
  const head = (host: string, flags: number): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.from([flags]), count]);
  };
  const answer = (response: Record<string, unknown>): PasskeyAnswer => ({
    ...{ id: base64url(credentialId), rawId: base64url(credentialId), type: 'public-key' },
    ...{ response, clientExtensionResults: {} },
  });
  return {
    /** Makes the key for a site. */
    create: (site: Site): PasskeyAnswer => {
      const length = Buffer.from([0, credentialId.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)]);
      const authData = Buffer.concat([head(site.host ?? 'localhost', 0x45), attested]);
      const entries: [string, unknown][] = [
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ];
      return answer({
        clientDataJSON: base64url(clientData('webauthn.create', site)),
        attestationObject: base64url(cbor(new Map(entries))),
        transports: ['internal'],
      });
    },
    /** Confirms a sign-in at a site. `count`: another one than the next, as a copy of the device would send. */
    get: (site: Site, count = counter + 1): PasskeyAnswer => {
      counter = count;
      const data = clientData('webauthn.get', site);
      const authenticatorData = head(site.host ?? 'localhost', 0x05);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(data)]), privateKey);
      return answer({
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
      });
    },
  };
}
