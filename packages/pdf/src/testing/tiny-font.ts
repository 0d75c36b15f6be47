/**
 * A minimal TrueType font. The glyph `a` is a square of 600 units with a square of 200 units in it, both in the same
 * direction.
 */
export function tinyFont(): Uint8Array {
  const outer = [0, 0, 0, 600, 600, 600, 600, 0];
  const inner = [200, 200, 200, 400, 400, 400, 400, 200];
  const glyph = glyphOf([outer, inner]);
  const tables: Readonly<Record<string, Buffer>> = {
    cmap: words(0, 1, 1, 0, 0, 12, 6, 12, 0, 97, 1, 1),
    glyf: glyph,
    head: Buffer.concat([
      words(1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 0, 1000, 0, 0, 0, 0, 0, 0, 0, 0),
      words(0, 0, 600, 600, 0, 8, 2, 1, 0),
    ]),
    hhea: words(1, 0, 800, -200, 0, 700, 0, 0, 600, 1, 0, 0, 0, 0, 0, 0, 0, 2),
    hmtx: words(700, 0, 700, 0),
    loca: words(0, 0, 0, 0, 0, glyph.length),
    maxp: words(1, 0, 2, 8, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
  };
  const names = Object.keys(tables).sort();
  let at = 12 + 16 * names.length;
  const directory = names.map((name) => {
    const data = tables[name] as Buffer;
    const entry = Buffer.alloc(16);
    entry.write(name, 0, 'latin1');
    entry.writeUInt32BE(at, 8);
    entry.writeUInt32BE(data.length, 12);
    at += (data.length + 3) & ~3;
    return entry;
  });
  const padded = names.map((name) => {
    const data = tables[name] as Buffer;
    return Buffer.concat([data, Buffer.alloc(-data.length & 3)]);
  });
  return Buffer.concat([words(1, 0, names.length, 64, 2, 48), ...directory, ...padded]);
}

/** Numbers as big-endian 16-bit words. */
function words(...values: readonly number[]): Buffer {
  const data = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => void data.writeUInt16BE(value & 0xffff, index * 2));
  return data;
}

/** A simple glyph with straight contours: all points on the curve, 16-bit coordinates. */
function glyphOf(contours: readonly (readonly number[])[]): Buffer {
  const points = contours.flat();
  const ends = contours.map((_, index) => contours.slice(0, index + 1).flat().length / 2 - 1);
  const steps = (axis: 0 | 1): number[] => {
    const values = points.filter((_, index) => index % 2 === axis);
    return values.map((value, index) => value - (values[index - 1] ?? 0));
  };
  const data = Buffer.concat([
    words(contours.length, 0, 0, 600, 600, ...ends, 0),
    Buffer.alloc(points.length / 2, 1),
    words(...steps(0), ...steps(1)),
  ]);
  return Buffer.concat([data, Buffer.alloc(-data.length & 3)]);
}
