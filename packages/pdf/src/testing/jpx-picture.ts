/** JPEG 2000 pictures of one colour with an alpha channel, for tests of readers that must respect it. */

export interface JpxPicture {
  width: number;
  height: number;
  /** Levels 0–255. */
  colour: readonly [red: number, green: number, blue: number];
  /** 0–255, 255 is opaque. */
  alpha: number;
}

const u8 = (...values: readonly number[]): Buffer => Buffer.from(values);
const u16 = (...values: readonly number[]): Buffer => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const u32 = (...values: readonly number[]): Buffer =>
  Buffer.concat(values.map((value) => u16(Math.floor(value / 65_536), value & 0xffff)));

const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const data = Buffer.concat(parts);
  return Buffer.concat([u32(data.length + 8), Buffer.from(type, 'latin1'), data]);
};
const segment = (marker: number, ...parts: readonly Buffer[]): Buffer => {
  const data = Buffer.concat(parts);
  return Buffer.concat([u16(marker, data.length + 2), data]);
};

/** What a decoder reads where no packet has data: half of 256 levels (ITU-T T.800, annex G.1). */
const middle = 128;

/** One component without any coded data, so every sample is `middle` (ITU-T T.800, annex A). */
const codestream = ({ width, height }: JpxPicture): Buffer =>
  Buffer.concat([
    u16(0xff4f),
    segment(0xff51, u16(0), u32(width, height, 0, 0, width, height, 0, 0), u16(1), u8(7, 1, 1)),
    // No decomposition, blocks of 64 × 64, reversible transform.
    segment(0xff52, u8(0, 0), u16(1), u8(0, 0, 4, 4, 0, 1)),
    segment(0xff5c, u8(0x40, 0x40)),
    segment(0xff90, u16(0), u32(15), u8(0, 1)),
    u16(0xff93),
    u8(0),
    u16(0xffd9),
  ]);

/** A JP2 file whose palette turns its only level into the colour and its opacity (ITU-T T.800, annex I). */
export function jpxPicture(picture: JpxPicture): Buffer {
  const { width, height, colour, alpha } = picture;
  const entries = Array.from({ length: middle + 1 }, () => u8(...colour, alpha));
  const channels = [0, 1, 2, 3];
  return Buffer.concat([
    box('jP  ', u8(0x0d, 0x0a, 0x87, 0x0a)),
    box('ftyp', Buffer.from('jp2 \0\0\0\0jp2 ', 'latin1')),
    box(
      'jp2h',
      box('ihdr', u32(height, width), u16(1), u8(7, 7, 0, 0)),
      box('colr', u8(1, 0, 0), u32(16)),
      box('pclr', u16(entries.length), u8(4, 7, 7, 7, 7), ...entries),
      box('cmap', ...channels.map((channel) => Buffer.concat([u16(0), u8(1, channel)]))),
      // The fourth channel is the opacity of the whole picture.
      box('cdef', u16(4), u16(0, 0, 1), u16(1, 0, 2), u16(2, 0, 3), u16(3, 1, 0)),
    ),
    box('jp2c', codestream(picture)),
  ]);
}
