import { text } from '../../quality/content.ts';
import { pictureOfText, withPicture } from '../../quality/drawn-text.ts';
import { photo } from '../../quality/photo.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

type Case = RuleCase<'TextInPictures'>;

const words = ['Terms of delivery and payment', 'The goods remain ours until', 'they are paid in full.'];
const scanned = pictureOfText(words, 150);
const fine = pictureOfText(words, 300);
const reversed = { ...scanned, data: scanned.data.map((value) => 255 - value) };
const few = pictureOfText(['Terms of delivery and payment'], 150);
const soft = { width: 320, height: 400, data: photo(400).subarray(0, 320 * 400) };
/** Lines across the page, as of a table or of a pattern. */
const ruled = { ...scanned, data: scanned.data.map((_, at) => (Math.floor(at / scanned.width) % 12 < 2 ? 0 : 255)) };

const whole = [20, 20, 360, 460] as const;
const part = [40, 60, 240, 300] as const;

export const cases: readonly Case[] = [
  { kind: 'object', rule: 'scannedPage', breaks: withPicture(scanned, whole), passes: withPicture(few, whole) },
  { kind: 'page', rule: 'scannedPage', breaks: withPicture(fine, whole), passes: withPicture(soft, whole) },
  { kind: 'page', rule: 'scannedPage', breaks: withPicture(reversed, whole), passes: withPicture(ruled, whole) },
  // With type, and where it covers only a part of the page, it is a picture with text.
  {
    kind: 'page',
    rule: 'scannedPage',
    breaks: withPicture(scanned, whole),
    passes: withPicture(scanned, whole, text(12, '0 g')),
  },
  {
    kind: 'page',
    rule: 'scannedPage',
    breaks: withPicture(scanned, [20, 60, 360, 400]),
    passes: withPicture(scanned, part),
  },
  {
    kind: 'page',
    rule: 'text',
    breaks: withPicture(scanned, whole, text(12, '0 g')),
    passes: withPicture(few, whole, text(12, '0 g')),
  },
  { kind: 'object', rule: 'text', breaks: withPicture(scanned, part), passes: withPicture(few, part) },
];
