import type { PdfFile } from '../open/pdf-file.ts';
import { isDict, isName, type PdfDict } from '../open/values.ts';
import { type ColorSpaces, createColorSpaces } from './color-spaces.ts';
import { createFonts, type Fonts } from './fonts.ts';
import { createImages, type Images } from './images.ts';
import { type OptionalContent, readOptionalContent } from './layers.ts';
import type { Group, Matrix, Pattern, Rect } from './types.ts';

/** Readers and caches for one file, shared by all of its pages. */
export interface Interpreter {
  readonly file: PdfFile;
  /** `PdfFile.generation` at the time of creation; after changes to the file everything is read again. */
  readonly generation: number;
  readonly spaces: ColorSpaces;
  readonly fonts: Fonts;
  readonly images: Images;
  readonly optionalContent: OptionalContent;
  /** Decoded bytes of a content stream. */
  readonly content: (num: number) => Uint8Array;
  readonly patterns: Map<string, Pattern | null>;
  /** Facts of forms, read on first use: a page with outlined text draws the same forms thousands of times. */
  readonly forms: WeakMap<PdfDict, FormFacts>;
}

export interface FormFacts {
  readonly matrix: Matrix;
  readonly bbox: Rect | null;
  /** Null when the form uses the resources of the page, which was allowed before PDF 1.2. */
  readonly resources: PdfDict | null;
  readonly group: Group | null;
}

/** Decoded content streams kept for further uses. */
const maxKeptBytes = 8 * 2 ** 20;
const interpreters = new WeakMap<PdfFile, Interpreter>();

/** The interpreter of a file; the same one until the file is changed. */
export function interpreterOf(file: PdfFile): Interpreter {
  const known = interpreters.get(file);
  if (known?.generation === file.generation) return known;
  const spaces = createColorSpaces(file);
  const kept = new Map<number, Uint8Array>();
  let keptBytes = 0;
  const made: Interpreter = {
    file,
    generation: file.generation,
    spaces,
    fonts: createFonts(file),
    images: createImages(file, spaces),
    optionalContent: readOptionalContent(file),
    patterns: new Map(),
    forms: new WeakMap(),
    content(num) {
      const bytes = kept.get(num) ?? file.stream(num);
      if (kept.has(num)) return bytes;
      if (keptBytes > maxKeptBytes) {
        kept.clear();
        keptBytes = 0;
      }
      kept.set(num, bytes);
      keptBytes += bytes.length;
      return bytes;
    },
  };
  interpreters.set(file, made);
  return made;
}

/** Transparency group attributes of a page or form; null when it is not a transparency group. */
export function readGroup(walk: { file: PdfFile; tools: Interpreter }, dict: PdfDict): Group | null {
  const { file } = walk;
  const group = file.entry(dict, 'Group');
  if (!isDict(group) || !isName(file.entry(group, 'S'), 'Transparency')) return null;
  const space = group.map.get('CS');
  return {
    isIsolated: file.entry(group, 'I') === true,
    isKnockout: file.entry(group, 'K') === true,
    space: space === undefined ? null : walk.tools.spaces.read(space, null),
  };
}
