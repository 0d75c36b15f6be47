import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { profileBytes } from '../colour/shipped-profiles.ts';
import { sharp } from './lazy-sharp.ts';
import type { PagePlates } from './plates.ts';
import { processStrips } from './process-strips.ts';

/** File formats that can hold CMYK. */
export type CmykFormat = 'jpeg' | 'tiff';

export interface CmykPictureOptions {
  format: CmykFormat;
  /** 1 to 100, for jpeg. */
  quality: number;
}

/**
 * Writes the plates of a page as a CMYK picture with the press profile. It shows what is printed, including overprint;
 * spot inks are converted to their process equivalents. Works in strips, so memory use does not depend on the page
 * size.
 */
export async function saveCmykPicture(plates: PagePlates, path: string, options: CmykPictureOptions): Promise<void> {
  const raw = `${path}.raw`;
  try {
    writeRawTiff(plates, raw);
    // No colour conversion: the pixels already are in the press colours.
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

/** TIFF 6.0 field types and the sizes of their values. */
const [short, long, bytes] = [3, 4, 7] as const;
const sizes = { [short]: 2, [long]: 4, [bytes]: 1 } as const;
type Field = { tag: number; type: keyof typeof sizes; values: readonly number[] | Uint8Array };
const rowsPerStrip = 64;

/** Writes the plates as an uncompressed TIFF. This is the only way to give CMYK pixels to libvips as CMYK. */
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
    // Photometric interpretation 5 (Separated): 0 is no ink.
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

/** An image file directory for offset `start`. Values longer than four bytes follow after it. */
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
