/** Pictures for the rule cases that look like photographs: soft and fine tones, and an edge; gray, 8 bits, square. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { encodeJpeg, type ImageFacts, interpretPage, openPdf, readSamples } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { at, imageAt, withResource } from './content.ts';
import type { Doc } from './doc.ts';

/** Grain that is the same every time. */
function grainOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31 - 0.5;
  };
}

/** Tones at points that lie so far apart, and between them what lies between. */
function cloud(distance: number, seed: number): (x: number, y: number) => number {
  const grain = grainOf(seed);
  const points = Array.from({ length: 128 * 128 }, grain);
  const at = (column: number, row: number) => points[(row & 127) * 128 + (column & 127)] ?? 0;
  return (x, y) => {
    const [column, row] = [Math.floor(x / distance), Math.floor(y / distance)];
    const [right, down] = [x / distance - column, y / distance - row];
    const upper = at(column, row) * (1 - right) + at(column + 1, row) * right;
    const lower = at(column, row + 1) * (1 - right) + at(column + 1, row + 1) * right;
    return upper * (1 - down) + lower * down;
  };
}

/** As in nature, what is larger has more contrast. */
const clouds = [32, 16, 8, 4, 2, 1].map((distance) => ({ distance, tone: cloud(distance, 7 + distance) }));

/** Never compressed. */
export function photo(side: number): Uint8Array {
  return Uint8Array.from({ length: side * side }, (_, at) => {
    const [x, y] = [at % side, Math.floor(at / side)];
    const edge = Math.hypot(x - side / 2, y - side / 3) < side / 4 ? 40 : 0;
    const tone = clouds.reduce((sum, { distance, tone: of }) => sum + 26 * distance ** 0.3 * of(x, y), 110 + edge);
    return Math.max(0, Math.min(255, Math.round(tone)));
  });
}

/** The photograph as JPEG data of this quality. */
export const jpegOf = (side: number, quality: number): Promise<Uint8Array> =>
  encodeJpeg(photo(side), { width: side, height: side, components: 1 }, { quality, isSubsampled: false });

/** The pixels that are left of the photograph after it was a JPEG of this quality, without the first ones of each side. */
export async function afterJpeg(side: number, quality: number, from = 0): Promise<Uint8Array> {
  const whole = side + from;
  const pixels = await decoded(await jpegOf(whole, quality), whole);
  return Uint8Array.from(
    { length: side * side },
    (_, at) => pixels[(Math.floor(at / side) + from) * whole + (at % side) + from] ?? 0,
  );
}

async function decoded(data: Uint8Array, side: number): Promise<Uint8Array | Uint16Array> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'photo-'));
  const one = path.join(directory, 'one.pdf');
  const dict = `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode`;
  writeFileSync(
    one,
    buildPdf({ pages: [{ content: '/I Do', resources: '/XObject << /I 9 0 R >>' }], objects: { 9: { dict, data } } }),
  );
  const file = openPdf({ path: one });
  try {
    const images: ImageFacts[] = [];
    interpretPage(file, 1, [{ image: ({ image }) => void images.push(image) }]);
    const samples = images[0] && (await readSamples(file, images[0]));
    if (!samples) throw new Error('no samples');
    return samples.data;
  } finally {
    file.close();
    rmSync(directory, { recursive: true });
  }
}

/** A page with a gray picture of so many pixels along each side, at this resolution. */
export const shown = (side: number, ppi: number, data: Uint8Array, filter = ''): Doc => ({
  content: imageAt('Pic', at(ppi, side)),
  resources: withResource('XObject', '/Pic 480 0 R'),
  objects: {
    480: {
      dict: `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent 8 ${filter}`,
      data,
    },
  },
});
