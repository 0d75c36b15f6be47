import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { openPdf } from '../open/pdf-file.ts';
import { buildPdf } from '../testing/build-pdf.ts';
import { valueText } from '../write/value-text.ts';
import { deflateSamples, inflateSamples } from './flate-samples.ts';

const directory = mkdtempSync(join(tmpdir(), 'flate-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The stream as MuPDF decodes it. */
function decoded(data: Uint8Array, dict: string): Uint8Array {
  const path = join(directory, 'one.pdf');
  writeFileSync(path, buildPdf({ pages: [{ content: '' }], objects: { 100: { dict, data } }, catalog: '/X 100 0 R' }));
  const file = openPdf({ path });
  const bytes = file.engine.newIndirect(100).readStream().asUint8Array().slice();
  file.close();
  return bytes;
}

const noise = (length: number, levels: number): Uint8Array => {
  let seed = length;
  return Uint8Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 16) % levels;
  });
};

test.each([
  ['noise, which holds no repeats', noise(97 * 301 * 4, 256)],
  ['flat areas', new Uint8Array(97 * 301 * 4).map((_, at) => (at % 388 < 200 ? 7 : 200))],
])('%s: encoding and decoding preserves the samples', async (_name, data) => {
  const { bytes, entries } = await deflateSamples(data, 97, 301, 4);
  expect(decoded(bytes, valueText(entries, String as never).slice(2, -2))).toEqual(data);
  expect(Buffer.from((await inflateSamples(bytes, 97 * 4, 301, 4, 15)) ?? [])).toEqual(Buffer.from(data));
});

test('row filters are undone as by MuPDF', async () => {
  const [columns, height] = [50, 40];
  for (const colours of [1, 3, 4]) {
    const row = columns * colours;
    const rows = noise((row + 1) * height, 256);
    for (let y = 0; y < height; y += 1) rows[y * (row + 1)] = y % 5;
    const data = deflateSync(rows);
    const dict = `/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors ${colours}/Columns ${columns}>>`;
    expect(Buffer.from((await inflateSamples(data, row, height, colours, 15)) ?? [])).toEqual(
      Buffer.from(decoded(data, dict)),
    );
  }
});

test.each<[string, Uint8Array, number]>([
  ['too short', deflateSync(new Uint8Array(10)), 1],
  ['not deflate data', new Uint8Array(100), 1],
  ['with an unknown row filter', deflateSync(new Uint8Array(1000).fill(9)), 15],
  ['with the TIFF predictor', deflateSync(new Uint8Array(1000)), 2],
])('a stream that is %s gives null, so that other decoders are tried', async (_name, data, predictor) => {
  expect(await inflateSamples(data, 30, 10, 3, predictor)).toBeNull();
});
