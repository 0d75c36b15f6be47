/** A trailer with encryption and an empty user password (ISO 32000-1:2008, 7.6.3, algorithms 2 and 5). */
import { createHash } from 'node:crypto';

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const id = Buffer.from('0123456789abcdef');
const owner = Buffer.alloc(32, 7);

const md5 = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();

/** RC4, which the OpenSSL of Node.js no longer offers. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  const at = (i: number) => state[i & 255] ?? 0;
  const swap = (i: number, j: number) => {
    [state[i], state[j]] = [at(j), at(i)];
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return data.map((byte) => {
    i = (i + 1) & 255;
    j = (j + at(i)) & 255;
    swap(i, j);
    return byte ^ at(at(i) + at(j));
  }) as Buffer;
}

/** Printing is bit 3 of the permissions. The crypt filter is Identity, so streams and strings are not encrypted. */
export function encrypted({ mayPrint }: { mayPrint: boolean }): { trailer: string } {
  const permissions = mayPrint ? -3900 : -3904;
  const bits = Buffer.alloc(4);
  bits.writeInt32LE(permissions);
  let key = md5(padding, owner, bits, id);
  for (let i = 0; i < 50; i += 1) key = md5(key);
  let user = md5(padding, id);
  for (let i = 0; i < 20; i += 1) user = rc4(key.map((byte) => byte ^ i) as Buffer, user);
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
  return {
    trailer:
      `/ID [${hex(id)} ${hex(id)}] /Encrypt << /Filter /Standard /V 4 /R 4 /Length 128 /StmF /Identity /StrF /Identity` +
      ` /CF << >> /O ${hex(owner)} /U ${hex(Buffer.concat([user, Buffer.alloc(16)]))} /P ${permissions} >>`,
  };
}
