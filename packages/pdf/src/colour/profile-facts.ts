import { createHash } from 'node:crypto';
import { FileFaultError } from '@pdf2press/contract/faults';

/** Colour spaces that this product can convert. */
export type ColourModel = 'Gray' | 'RGB' | 'CMYK' | 'Lab';

/** Profile classes (ICC.1:2010, 7.2.5). */
export type ProfileClass = 'input' | 'display' | 'output' | 'link' | 'space' | 'abstract' | 'named';

/** Facts from the header and description of an ICC profile (ICC.1:2010, 7.2 and 9.2). */
export interface ProfileFacts {
  /** The description, in English if there are several languages. */
  name: string;
  /** Colour space of the device side; null for spaces that cannot be converted here (for example `6CLR`). */
  model: ColourModel | null;
  /** The four characters as written: `CMYK`, `RGB `, `GRAY`, `Lab `, `6CLR`. */
  space: string;
  class: ProfileClass;
  /** For example `2.1` or `4.4`. */
  version: string;
  bytes: number;
  sha256: string;
  /** True when colours can be converted to it: a matrix profile, or one with tables from the connection space (B2A). */
  isTarget: boolean;
}

const signatures: Readonly<Record<string, ProfileClass>> = {
  scnr: 'input',
  mntr: 'display',
  prtr: 'output',
  link: 'link',
  spac: 'space',
  abst: 'abstract',
  nmcl: 'named',
};
const models: Readonly<Record<string, ColourModel>> = { GRAY: 'Gray', 'RGB ': 'RGB', CMYK: 'CMYK', 'Lab ': 'Lab' };

/** Larger files are refused. The largest real profiles have about 3 MiB; a hostile file may have a gigabyte. */
const maxProfileBytes = 32 * 2 ** 20;

/**
 * Reads the header and the tag table of a profile.
 * @throws FileFaultError SETTINGS_INVALID {what: 'icc'} when the bytes are not an ICC profile
 */
export function readProfileFacts(bytes: Uint8Array): ProfileFacts {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 132 || view.length > maxProfileBytes || view.toString('latin1', 36, 40) !== 'acsp') {
    throw new FileFaultError('SETTINGS_INVALID', { what: 'icc', bytes: view.length });
  }
  const tags = readTags(view);
  const space = view.toString('latin1', 16, 20);
  const description = tags.get('desc');
  const version = `${view.readUInt8(8)}.${view.readUInt8(9) >> 4}`;
  return {
    name: description ? readText(view.subarray(description.start, description.end)) : '',
    model: models[space] ?? null,
    space,
    class: signatures[view.toString('latin1', 12, 16)] ?? 'abstract',
    version,
    bytes: view.length,
    sha256: createHash('sha256').update(view).digest('hex'),
    isTarget: tags.has('B2A0') || tags.has('rTRC') || tags.has('kTRC') || tags.has('D2B0'),
  };
}

interface TagPlace {
  start: number;
  end: number;
}

function readTags(view: Buffer): Map<string, TagPlace> {
  const tags = new Map<string, TagPlace>();
  const count = Math.min(view.readUInt32BE(128), 200);
  for (let index = 0; index < count; index += 1) {
    const at = 132 + index * 12;
    if (at + 12 > view.length) break;
    const start = view.readUInt32BE(at + 4);
    const end = start + view.readUInt32BE(at + 8);
    if (end <= view.length) tags.set(view.toString('latin1', at, at + 4), { start, end });
  }
  return tags;
}

/** Text of a `desc` (ICC version 2) or `mluc` (version 4) element. */
function readText(tag: Buffer): string {
  const type = tag.toString('latin1', 0, 4);
  if (type === 'desc' && tag.length >= 12) {
    const length = tag.readUInt32BE(8);
    return trimmed(tag.toString('latin1', 12, 12 + Math.min(length, tag.length - 12)));
  }
  if (type === 'mluc' && tag.length >= 28) {
    const count = Math.min(tag.readUInt32BE(8), Math.floor((tag.length - 16) / 12));
    let chosen = 16;
    for (let index = 0; index < count; index += 1) {
      const at = 16 + index * 12;
      if (tag.toString('latin1', at, at + 2) === 'en') {
        chosen = at;
        break;
      }
    }
    const start = tag.readUInt32BE(chosen + 8);
    const utf16 = tag.subarray(start, start + tag.readUInt32BE(chosen + 4));
    // ICC uses big-endian UTF-16; Node reads little-endian.
    return trimmed(
      Buffer.from(utf16.subarray(0, utf16.length & ~1))
        .swap16()
        .toString('utf16le'),
    );
  }
  return '';
}

function trimmed(text: string): string {
  const end = text.indexOf('\0');
  return (end < 0 ? text : text.slice(0, end)).trim();
}
