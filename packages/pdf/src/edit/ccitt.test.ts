import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withPdf } from '../testing/open-built.ts';
import { encodeGroup4 } from './ccitt.ts';

/** Decoded by MuPDF, one entry per pixel. */
function decoded(data: Uint8Array, width: number, height: number): number[] {
  const dict = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns ${width}/Rows ${height}>>`;
  const pdf = { objects: { 5: { dict, data } }, pages: [{ content: '', resources: '/XObject<</I 5 0 R>>' }] };
  const bytes = withPdf(pdf, (file) => file.stream(5));
  const rowBytes = Math.ceil(width / 8);
  return Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return ((bytes[y * rowBytes + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
  });
}

/** Rows of runs; sometimes a copy of the row above with one edge moved. */
const picture = fc
  .tuple(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 12 }), fc.infiniteStream(fc.nat(30)))
  .map(([width, height, numbers]) => {
    const bits = new Uint8Array(width * height);
    const next = (): number => numbers.next().value as number;
    for (let y = 0; y < height; y += 1) {
      if (y > 0 && next() % 2) bits.copyWithin(y * width, (y - 1) * width, y * width);
      for (let x = next(), colour = next() % 2; x < width; colour = 1 - colour) {
        const run = next();
        bits.fill(colour, y * width + x, Math.min(y * width + x + run, (y + 1) * width));
        x += run + 1;
      }
    }
    return { bits, width, height };
  });

test('MuPDF decodes what the Group 4 encoder writes', () => {
  fc.assert(
    fc.property(picture, ({ bits, width, height }) => {
      expect(decoded(encodeGroup4(bits, width, height), width, height)).toEqual([...bits]);
    }),
    { numRuns: 60, seed: 4 },
  );
});

test('runs longer than any code, and rows of one colour', () => {
  const width = 6000;
  const bits = new Uint8Array(width * 4).fill(1);
  bits.fill(0, 10, 5990);
  bits.fill(0, width, 2 * width);
  bits[3 * width + 2600] = 0;
  const data = encodeGroup4(bits, width, 4);
  expect(decoded(data, width, 4)).toEqual([...bits]);
  expect(data.length).toBeLessThan(60);
});
