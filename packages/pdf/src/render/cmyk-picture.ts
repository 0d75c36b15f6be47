import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { profileBytes } from '../colour/shipped-profiles.ts';
import { sharp } from './lazy-sharp.ts';
import type { PagePlates } from './plates.ts';
import { processStrips } from './process-strips.ts';

/** Formats that hold CMYK. */
export type CmykFormat = 'jpeg' | 'tiff';

export interface CmykPictureOptions {
  format: CmykFormat;
  /** 1–100, for jpeg. */
  quality: number;
}

/**
 * Writes a page's plates as a CMYK picture with the profile of the press they were made for: what a press gets, overprint
 * and all; spots as their process equivalents. Memory does not grow with the page.
 */
export async function saveCmykPicture(plates: PagePlates, path: string, options: CmykPictureOptions): Promise<void> {
  const raw = `${path}.raw`;
  try {
    writeRawTiff(plates, raw);
    // The picture stays in the inks it is in: nothing is converted.
    const image = sharp(raw, { limitInputPixels: false, sequentialRead: true })
      .pipelineColourspace('cmyk')
      .toColourspace('cmyk')
      .keepIccProfile()
      .withDensity(plates.dpi);
    const perMillimetre = plates.dpi / 25.4;
    const encoded =
      options.format === 'jpeg'
        ? image.jpeg({ quality: options.quality, chromaSubsampling: '4:4:4' })
        : image.tiff({ compression: 'lzw', predictor: 'horizontal', xres: perMillimetre, yres: perMillimetre });
    await encoded.toFile(path);
  } finally {
    rmSync(raw, { force: true });
  }
}

/** TIFF 6.0 field types and their sizes. */
const [short, long, bytes] = [3, 4, 7] as const;
const sizes = { [short]: 2, [long]: 4, [bytes]: 1 } as const;
type Field = { tag: number; type: keyof typeof sizes; values: readonly number[] | Uint8Array };
const rowsPerStrip = 64;

/** The plates as an uncompressed TIFF: the way by which CMYK comes into libvips as what it is. */
function writeRawTiff(plates: PagePlates, path: string): void {
  const { width, height } = plates;
  const strips = Math.ceil(height / rowsPerStrip);
  const stripBytes = width * 4 * rowsPerStrip;
  const dataStart = 8;
  const dataBytes = width * height * 4;
  const fields: Field[] = [
    { tag: 256, type: long, values: [width] },
    { tag: 257, type: long, values: [height] },
    { tag: 258, type: short, values: [8, 8, 8, 8] },
    { tag: 259, type: short, values: [1] },
    // Separated: inks, 0 is none.
    { tag: 262, type: short, values: [5] },
    { tag: 273, type: long, values: Array.from({ length: strips }, (_, at) => dataStart + at * stripBytes) },
    { tag: 277, type: short, values: [4] },
    { tag: 278, type: long, values: [rowsPerStrip] },
    {
      tag: 279,
      type: long,
      values: Array.from({ length: strips }, (_, at) => Math.min(stripBytes, dataBytes - at * stripBytes)),
    },
    { tag: 332, type: short, values: [1] },
    { tag: 34675, type: bytes, values: profileBytes(plates.profile) },
  ];
  const file = openSync(path, 'w');
  try {
    const header = Buffer.from('II*\0\0\0\0\0', 'latin1');
    header.writeUInt32LE(dataStart + dataBytes, 4);
    writeAll(file, header);
    for (const { cmyk } of processStrips(plates)) writeAll(file, cmyk);
    writeAll(file, directory(fields, dataStart + dataBytes));
  } finally {
    closeSync(file);
  }
}

/** An image file directory at `start`, what does not fit into four bytes behind it. */
function directory(fields: readonly Field[], start: number): Buffer {
  const head = Buffer.alloc(2 + fields.length * 12 + 4);
  head.writeUInt16LE(fields.length, 0);
  const behind: Buffer[] = [];
  let end = start + head.length;
  fields.forEach(({ tag, type, values }, index) => {
    const at = 2 + index * 12;
    const data = Buffer.alloc(Math.max(4, values.length * sizes[type]));
    if (values instanceof Uint8Array) data.set(values);
    else
      values.forEach(
        (value, i) => void (type === short ? data.writeUInt16LE(value, i * 2) : data.writeUInt32LE(value, i * 4)),
      );
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(values.length, at + 4);
    if (data.length <= 4) {
      data.copy(head, at + 8);
      return;
    }
    head.writeUInt32LE(end, at + 8);
    behind.push(data);
    end += data.length;
  });
  return Buffer.concat([head, ...behind]);
}

function writeAll(file: number, data: Uint8Array): void {
  for (let from = 0; from < data.length; ) from += writeSync(file, data, from, data.length - from);
}
