/** Encodes and decodes samples with deflate and PNG row filters, in the thread pool of Node. */

import { promisify } from 'node:util';
import { constants, deflate, inflate } from 'node:zlib';
import { type PdfDict, pdfName } from '../open/values.ts';
import { pdfDict } from './make-values.ts';

const deflated = promisify<Uint8Array, object, Buffer>(deflate);
const inflated = promisify<Uint8Array, object, Buffer>(inflate);

/**
 * Searching for repeats is slow and useless for photographs. Some rows from the middle are compressed both ways, and
 * the search is used only if it makes them at least 10 % smaller.
 */
const trialRows = 64;
const worthSearching = 0.9;
const search = { level: 6 };
const runsOnly = { level: 1, strategy: constants.Z_RLE };

/**
 * Encodes samples as a Flate stream. `data` is packed as in PDF (16 bits: high byte first).
 * @returns the encoded bytes, and the dictionary entries that describe them
 */
export async function deflateSamples(
  data: Uint8Array,
  width: number,
  height: number,
  components: number,
  bits: 8 | 16 = 8,
): Promise<{ bytes: Uint8Array; entries: PdfDict }> {
  const pixelBytes = (components * bits) / 8;
  const rows = filteredRows(data, width * pixelBytes, height, pixelBytes);
  const rowBytes = width * pixelBytes + 1;
  const first = Math.max(0, (height - trialRows) >> 1) * rowBytes;
  const trial = rows.subarray(first, first + trialRows * rowBytes);
  const [searched, plain] = await Promise.all([deflated(trial, search), deflated(trial, runsOnly)]);
  const isWorth = searched.length < plain.length * worthSearching;
  return {
    bytes: await deflated(rows, isWorth ? search : runsOnly),
    entries: pdfDict({
      Filter: pdfName('FlateDecode'),
      DecodeParms: pdfDict({ Predictor: 15, Colors: components, BitsPerComponent: bits, Columns: width }),
    }),
  };
}

/** Each byte as the difference to the pixel on the left (PNG filter 1). */
function filteredRows(data: Uint8Array, row: number, height: number, components: number): Uint8Array {
  const rows = new Uint8Array((row + 1) * height);
  for (let y = 0, from = 0, to = 0; y < height; y += 1) {
    rows[to++] = 1;
    const start = from + components;
    const end = from + row;
    for (; from < start; from += 1, to += 1) rows[to] = data[from] as number;
    for (; from < end; from += 1, to += 1) rows[to] = (data[from] as number) - (data[from - components] as number);
  }
  return rows;
}

/**
 * Decodes a Flate stream and undoes its PNG row filters.
 * @param raw the encoded stream
 * @returns null when the data is invalid; other decoders may recover part of it
 */
export async function inflateSamples(
  raw: Uint8Array,
  rowBytes: number,
  height: number,
  pixelBytes: number,
  predictor: number,
): Promise<Uint8Array | null> {
  const isFiltered = predictor >= 10;
  if (!isFiltered && predictor !== 1) return null;
  const wanted = (rowBytes + (isFiltered ? 1 : 0)) * height;
  let bytes: Buffer;
  try {
    // Readers ignore surplus data, and a little of it is common.
    bytes = await inflated(raw, { maxOutputLength: wanted + 65_536 });
  } catch {
    return null;
  }
  if (bytes.length < wanted) return null;
  return isFiltered ? unfiltered(bytes, rowBytes, height, pixelBytes) : bytes.subarray(0, wanted);
}

/** Undoes the row filters (PNG, W3C Recommendation, clause 9.2). */
function unfiltered(rows: Uint8Array, row: number, height: number, pixel: number): Uint8Array | null {
  const out = new Uint8Array(row * height);
  for (let y = 0, from = 0, to = 0; y < height; y += 1, to += row) {
    const filter = rows[from++] as number;
    if (filter > 4) return null;
    const up = y > 0 ? to - row : -1;
    for (let x = 0; x < row; x += 1, from += 1) {
      const a = x >= pixel ? (out[to + x - pixel] as number) : 0;
      const b = up >= 0 ? (out[up + x] as number) : 0;
      const c = x >= pixel && up >= 0 ? (out[up + x - pixel] as number) : 0;
      out[to + x] = (rows[from] as number) + guess(filter, a, b, c);
    }
  }
  return out;
}

function guess(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)];
  const toCorner = Math.abs(left + above - 2 * corner);
  return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
}
