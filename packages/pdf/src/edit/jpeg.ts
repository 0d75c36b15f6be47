/** JPEG data for /DCTDecode (ISO 32000-1, 7.4.8): reads the quality of existing data and encodes grey, RGB and CMYK. */
import { sharp } from '../render/lazy-sharp.ts';

/** Quality settings of a JPEG. */
export interface JpegGrade {
  /** Quality on the scale of libjpeg, 1 to 100. */
  quality: number;
  /** True for chroma components with half the resolution in both directions. */
  isSubsampled: boolean;
}

const marker = { quantization: 0xdb, frame: 0xc0, huffman: 0xc4, scan: 0xda, adobe: 0xee, end: 0xd9 } as const;

interface Segment {
  marker: number;
  /** Content of the segment without marker and length. */
  body: Uint8Array;
  /** Position of the next segment, or of the entropy-coded data after a scan header. */
  end: number;
}

/** Segments up to and including the first scan header, as far as they can be read. */
function segmentsOf(bytes: Uint8Array): Segment[] {
  const segments: Segment[] = [];
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const name = bytes[at + 1] as number;
    if (name === 0xff) {
      at += 1;
      continue;
    }
    const end = at + 2 + (((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number));
    segments.push({ marker: name, body: bytes.subarray(at + 4, end), end });
    if (name === marker.scan) break;
    at = end;
  }
  return segments;
}

/** True for frame headers of all coding processes (ITU-T T.81, table B.1). */
const isFrame = (name: number): boolean => name >= 0xc0 && name <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(name);

/** Luminance table of ITU-T T.81, K.1, in zigzag order. Encoders scale it by their quality. */
// biome-ignore format: a table
const luminance = [
  16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40, 26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58, 51, 61, 60, 57, 51,
  56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87, 95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99,
];

/**
 * Quality from the quantisation table of the first component: its average ratio to the standard table, converted as
 * libjpeg does.
 */
function qualityOf(table: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < 64; at += 1) sum += ((table[at] ?? 1) * 100) / (luminance[at] as number);
  const scale = sum / 64;
  return Math.max(1, Math.min(100, Math.round(scale <= 100 ? 100 - scale / 2 : 5000 / scale)));
}

/**
 * Reads the quality settings of a JPEG.
 * @returns null for data that is not a readable JPEG
 */
export function jpegGrade(bytes: Uint8Array): JpegGrade | null {
  const segments = segmentsOf(bytes);
  const frame = segments.find((segment) => isFrame(segment.marker))?.body;
  if (!frame || frame.length < 9) return null;
  const tables = new Map<number, number[]>();
  for (const { body } of segments.filter((segment) => segment.marker === marker.quantization)) {
    for (let at = 0; at < body.length; ) {
      const head = body[at] as number;
      const width = head >> 4 ? 2 : 1;
      const read = (index: number): number =>
        width === 2
          ? ((body[at + 1 + index * 2] ?? 0) << 8) | (body[at + 2 + index * 2] ?? 0)
          : (body[at + 1 + index] ?? 0);
      tables.set(
        head & 15,
        Array.from({ length: 64 }, (_, index) => read(index)),
      );
      at += 1 + 64 * width;
    }
  }
  const table = tables.get(frame[8] as number);
  if (!table) return null;
  const samplings = Array.from({ length: frame[5] as number }, (_, index) => frame[7 + index * 3] ?? 0x11);
  return {
    quality: qualityOf(table),
    isSubsampled: samplings.some((sampling) => sampling !== samplings[0]),
  };
}

/**
 * Quality for a new JPEG: at most that of its source and at most `most`. A higher quality would only reproduce the
 * artefacts of the source.
 */
export function gradeAfter(source: Uint8Array | null, most: number): JpegGrade {
  const grade = source && jpegGrade(source);
  return grade ? { ...grade, quality: Math.min(grade.quality, most) } : { quality: most, isSubsampled: false };
}

/** Limit of pixels in one picture; 2 GiB of CMYK are more than any press needs. */
const limitInputPixels = 500_000_000;

interface Size {
  width: number;
  height: number;
}

/** CMYK in the form the encoder needs, 8 bits each: the chromatic inks interleaved and inverted, black as it is. */
export interface InkPlanes {
  chromatic: Uint8Array;
  black: Uint8Array;
}

// Optimised tables save a few percent and take ten times as long.
const optionsOf = ({ quality, isSubsampled }: JpegGrade) =>
  ({ quality, chromaSubsampling: isSubsampled ? '4:2:0' : '4:4:4', optimizeCoding: false }) as const;

/** Encodes interleaved 8-bit grey, RGB or CMYK samples as a baseline JPEG without colour conversion. */
export function encodeJpeg(
  data: Uint8Array,
  { width, height, components }: Size & { components: number },
  grade: JpegGrade,
): Promise<Uint8Array> {
  return components === 4
    ? encodeInks(apart(data, width * height), { width, height }, grade)
    : encodePlanes(data, { width, height }, components, grade);
}

function encodePlanes(data: Uint8Array, { width, height }: Size, channels: number, grade: JpegGrade): Promise<Buffer> {
  const picture = sharp(data, { raw: { width, height, channels: channels as 1 | 3 }, limitInputPixels });
  return (channels === 1 ? picture.toColourspace('b-w') : picture).jpeg(optionsOf(grade)).toBuffer();
}

/**
 * Encodes CMYK as YCCK (Adobe Technical Note 5116). The three chromatic inks then share their luminance as RGB does,
 * which halves the size. libjpeg through sharp cannot write YCCK, but a JPEG may have its components in separate scans
 * (ITU-T T.81, 4.8). So inverted CMY is encoded as RGB and black as grey, and both are joined.
 */
export async function encodeInks({ chromatic, black }: InkPlanes, size: Size, grade: JpegGrade): Promise<Uint8Array> {
  return joined(...(await Promise.all([encodePlanes(chromatic, size, 3, grade), encodePlanes(black, size, 1, grade)])));
}

function apart(inks: Uint8Array, count: number): InkPlanes {
  const [chromatic, black] = [Buffer.allocUnsafeSlow(count * 3), Buffer.allocUnsafeSlow(count)];
  let pixel = 0;
  if (inks.byteOffset % 4 === 0) {
    // Four pixels at a time as 32-bit words; all supported processors are little-endian.
    const words = new Uint32Array(inks.buffer, inks.byteOffset, count);
    const [colours, blacks] = [
      new Uint32Array(chromatic.buffer, 0, (count >> 2) * 3),
      new Uint32Array(black.buffer, 0, count >> 2),
    ];
    for (let to = 0, four = 0; four < blacks.length; four += 1, pixel += 4, to += 3) {
      const [one, two] = [~(words[pixel] as number), ~(words[pixel + 1] as number)];
      const [three, last] = [~(words[pixel + 2] as number), ~(words[pixel + 3] as number)];
      colours[to] = (one & 0xff_ffff) | (two << 24);
      colours[to + 1] = ((two >>> 8) & 0xffff) | (three << 16);
      colours[to + 2] = ((three >>> 16) & 0xff) | (last << 8);
      blacks[four] = ~((one >>> 24) | ((two >>> 24) << 8) | ((three >>> 24) << 16) | ((last >>> 24) << 24));
    }
  }
  for (; pixel < count; pixel += 1) {
    for (let ink = 0; ink < 3; ink += 1) chromatic[pixel * 3 + ink] = 255 - (inks[pixel * 4 + ink] as number);
    black[pixel] = inks[pixel * 4 + 3] as number;
  }
  return { chromatic, black };
}

const segment = (name: number, body: Uint8Array | readonly number[]): Buffer => {
  const length = body.length + 2;
  return Buffer.concat([Buffer.from([0xff, name, length >> 8, length & 255]), Uint8Array.from(body)]);
};

/** Version, two flags, and the transform; 2 is YCCK (Adobe Technical Note 5116). */
const adobe = [...Buffer.from('Adobe', 'latin1'), 0, 100, 0, 0, 0, 0, 2];
/** Identifiers that the encoder does not use: the black component and its quantisation table. */
const blackId = 4;
const blackTable = 3;

/** Joins a JPEG of three components and one of one component to a JPEG of four components with two scans. */
function joined(chromatic: Uint8Array, black: Uint8Array): Uint8Array {
  const [colours, greys] = [segmentsOf(chromatic), segmentsOf(black)];
  const of = (segments: readonly Segment[], name: number): Uint8Array[] =>
    segments.filter((one) => one.marker === name).map(({ body }) => body);
  const scanOf = (segments: readonly Segment[], bytes: Uint8Array): Uint8Array =>
    bytes.subarray(segments.at(-1)?.end ?? 0, bytes.length - 2);
  const [frame] = of(colours, marker.frame);
  const [blackScan] = of(greys, marker.scan);
  const [colourScan] = of(colours, marker.scan);
  if (!frame || !colourScan || !blackScan) throw new Error('the encoder wrote no baseline JPEG');
  // Black gets the sampling factors of the first component, so it keeps full resolution.
  const four = [...frame.subarray(0, 5), 4, ...frame.subarray(6), blackId, frame[7] as number, blackTable];
  return Buffer.concat([
    chromatic.subarray(0, 2),
    segment(marker.adobe, adobe),
    ...of(colours, marker.quantization).map((body) => segment(marker.quantization, body)),
    ...of(greys, marker.quantization).map((body) => segment(marker.quantization, [blackTable, ...body.subarray(1)])),
    segment(marker.frame, four),
    ...of(colours, marker.huffman).map((body) => segment(marker.huffman, body)),
    segment(marker.scan, colourScan),
    scanOf(colours, chromatic),
    ...of(greys, marker.huffman).map((body) => segment(marker.huffman, body)),
    segment(marker.scan, [1, blackId, ...blackScan.subarray(2)]),
    scanOf(greys, black),
    Buffer.from([0xff, marker.end]),
  ]);
}
