/** What a font file says of itself: its names, and what its maker allows (tables `name` and `OS/2`). */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { FontEmbedding, FontFileFacts } from '@pdf2press/contract';
import { demandTable, openSfnt, type Sfnt, sourceOf, unreadable, viewOf } from './sfnt.ts';

/** Ids of the table `name`. */
const nameIds = { family: 1, style: 2, fullName: 4, postScriptName: 6, wideFamily: 16, wideStyle: 17 };
/** Longer names are no names. */
const maxName = 200;

const decoders: Readonly<Record<number, string>> = { 0: 'utf-16be', 1: 'macintosh', 3: 'utf-16be' };

/** English of the United States, by platform; other languages are taken where it is missing. */
const isEnglish = (platform: number, language: number): boolean => language === (platform === 3 ? 0x409 : 0);

/** Texts by id; those for Windows before those for other systems, English before other languages. */
function readNames(bytes: Uint8Array): Map<number, string> {
  const found = new Map<number, { text: string; rank: number }>();
  const view = viewOf(bytes);
  const texts = view.getUint16(4);
  for (let at = 6, left = view.getUint16(2); left > 0 && at + 12 <= bytes.length; left -= 1, at += 12) {
    const [platform, , language, id, length, offset] = [0, 2, 4, 6, 8, 10].map((by) => view.getUint16(at + by)) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const decoder = decoders[platform];
    if (!decoder || length > 2 * maxName) continue;
    const rank = (isEnglish(platform, language) ? 2 : 0) + (platform === 3 ? 1 : 0);
    const text = new TextDecoder(decoder).decode(bytes.subarray(texts + offset, texts + offset + length));
    const known = found.get(id);
    if (!known || known.rank < rank) found.set(id, { text: cleaned(text), rank });
  }
  return new Map([...found].map(([id, { text }]) => [id, text]));
}

const cleaned = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names come from files of strangers
  text.replace(/[\u0000-\u001f\u007f]/g, '').trim();

/**
 * What `fsType` allows. Of several bits the most generous counts, as it did before they excluded each other
 * (OS/2 version 3).
 */
function embeddingOf(fsType: number): FontEmbedding {
  if ((fsType & 0x0e) === 0) return 'Installable';
  if (fsType & 8) return 'Editable';
  return fsType & 4 ? 'PreviewAndPrint' : 'Restricted';
}

/** The facts of an opened font. @throws FileFaultError FONT_UNREADABLE */
export function factsOfFont(sfnt: Sfnt): FontFileFacts {
  try {
    const names = readNames(demandTable(sfnt, 'name', 6));
    const glyphCount = viewOf(demandTable(sfnt, 'maxp', 6)).getUint16(4);
    demandTable(sfnt, 'head', 54);
    demandTable(sfnt, 'hhea', 36);
    demandTable(sfnt, 'hmtx', 4);
    const os2 = sfnt.table('OS/2');
    // A font without this table says nothing about embedding, as one that forbids nothing.
    const fsType = os2 && os2.length >= 10 ? viewOf(os2).getUint16(8) : 0;
    const family = names.get(nameIds.wideFamily) ?? names.get(nameIds.family) ?? '';
    const style = names.get(nameIds.wideStyle) ?? names.get(nameIds.style) ?? 'Regular';
    const fullName = names.get(nameIds.fullName) ?? `${family} ${style}`.trim();
    const postScriptName = names.get(nameIds.postScriptName) ?? fullName.replaceAll(' ', '');
    if (postScriptName === '') throw unreadable('name');
    const embedding = embeddingOf(fsType);
    const isBitmapOnly = (fsType & 0x200) !== 0;
    return {
      postScriptName,
      family,
      style,
      fullName,
      kind: sfnt.kind,
      glyphCount,
      embedding,
      isSubsettingForbidden: (fsType & 0x100) !== 0,
      isBitmapOnly,
      mayEmbed: embedding !== 'Restricted' && !isBitmapOnly,
    };
  } catch (error) {
    if (error instanceof RangeError) throw unreadable('tables', error);
    throw error;
  }
}

/** Reads the facts of a font file; of a large one only the tables that hold them. @throws FileFaultError FONT_UNREADABLE */
export function readFontFile(path: string): FontFileFacts {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const read = (offset: number, length: number): Uint8Array => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset));
    };
    return factsOfFont(openSfnt({ size, read }));
  } finally {
    closeSync(file);
  }
}

/** The facts of a font's bytes. @throws FileFaultError FONT_UNREADABLE */
export const fontFactsOf = (bytes: Uint8Array): FontFileFacts => factsOfFont(openSfnt(sourceOf(bytes)));
