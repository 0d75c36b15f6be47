import { createHash } from 'node:crypto';
import { buildPdf } from './build-pdf.ts';

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const padded = (password: string) => Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32);
const md5 = (...parts: Uint8Array[]) => createHash('md5').update(Buffer.concat(parts)).digest();

/** RC4 as PDF 1.3 uses it; OpenSSL 3 no longer offers it. */
function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => state[index] ?? 0;
  const swap = (a: number, b: number) => {
    const kept = at(a);
    state[a] = at(b);
    state[b] = kept;
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255;
      j = (j + at(i)) & 255;
      swap(i, j);
      return byte ^ at((at(i) + at(j)) & 255);
    }),
  );
}

/** The number that `buildPdf` gives the content of a single page. */
const contentNumber = 3;

/**
 * One page with a blue rectangle under the standard security handler, revision 2 (ISO 32000-1, 7.6.3.3). The empty
 * password opens it for all.
 */
export function encryptedPdf(userPassword: string): Uint8Array {
  const id = Buffer.alloc(16, 7);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(-4);
  const owner = rc4(md5(padded('owner')).subarray(0, 5), padded(userPassword));
  const key = md5(padded(userPassword), owner, permissions, id).subarray(0, 5);
  const user = rc4(key, padding);
  const objectKey = md5(key, Uint8Array.from([contentNumber, 0, 0, 0, 0])).subarray(0, 10);
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
  return buildPdf({
    pages: [{ mediaBox: [0, 0, 300, 200], content: rc4(objectKey, Buffer.from('0 0 1 rg 10 10 100 100 re f')) }],
    trailer:
      `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ${hex(owner)} /U ${hex(user)} >>` +
      ` /ID [${hex(id)} ${hex(id)}]`,
  });
}
