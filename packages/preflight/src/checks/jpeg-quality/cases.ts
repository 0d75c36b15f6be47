import type { Doc } from '../../quality/doc.ts';
import { afterJpeg, jpegOf, photo, shown } from '../../quality/photo.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

const side = 96;
/** A photograph that was saved as JPEG with this quality, at this resolution. */
const saved = async (quality: number, ppi = 300): Promise<Doc> =>
  shown(side, ppi, await jpegOf(side, quality), '/Filter /DCTDecode');
/** The same, with 128 KB of what editors write before the tables (application segments of ITU-T T.81, B.2.4.6). */
const savedByEditor = async (quality: number): Promise<Doc> => {
  const segment = Buffer.alloc(65_537);
  segment.writeUInt32BE(0xffedffff);
  const jpeg = await jpegOf(side, quality);
  const data = Buffer.concat([jpeg.subarray(0, 2), segment, segment, jpeg.subarray(2)]);
  return shown(side, 300, data, '/Filter /DCTDecode');
};
/** The same pixels without compression, after having been a JPEG of this quality; null: never. */
const savedAnew = async (quality: number | null, ppi = 300, from = 0): Promise<Doc> =>
  shown(side, ppi, quality === null ? photo(side) : await afterJpeg(side, quality, from));

export const cases: readonly RuleCase<'JpegQuality'>[] = [
  { kind: 'object', rule: 'low', breaks: await saved(49), passes: await saved(50) },
  { kind: 'page', rule: 'low', breaks: await savedByEditor(49), passes: await savedByEditor(50) },
  {
    kind: 'object',
    rule: 'low',
    settings: { quality: { failBelow: 30, warnBelow: null } },
    breaks: await saved(29),
    passes: await saved(31),
  },
  { kind: 'object', rule: 'low', breaks: await saved(30, 449), passes: await saved(30, 451) },
  {
    kind: 'object',
    rule: 'low',
    settings: { ignoreSmallerThanPx: 96 },
    breaks: await saved(30),
    passes: await saved(80),
  },
  { kind: 'object', rule: 'blocking', breaks: await savedAnew(25), passes: await savedAnew(75) },
  { kind: 'object', rule: 'blocking', breaks: await savedAnew(20), passes: await savedAnew(null) },
  // Cropped since, so that the blocks begin anywhere.
  { kind: 'object', rule: 'blocking', breaks: await savedAnew(20, 300, 5), passes: await savedAnew(80, 300, 5) },
  { kind: 'object', rule: 'blocking', breaks: await savedAnew(20, 449), passes: await savedAnew(20, 451) },
];
