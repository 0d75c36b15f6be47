/** Fonts in the resources of a page and of everything it uses, whether text uses them or not. */
import type { FontInspection } from '@pdf2press/contract';
import { readFontFacts } from '../interpret/fonts.ts';
import { appearanceOf } from '../interpret/interpret-page.ts';
import type { PageFacts } from '../open/page-facts.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isDict, isRef, type PdfDict, type PdfValue } from '../open/values.ts';

export type FontUse = Omit<FontInspection, 'pages' | 'used'>;

/** Limit for nested resources; a longer chain is circular. */
const maxDepth = 30;

/** Facts of fonts already read in this thread, by object number. */
const described = new WeakMap<PdfFile, Map<number, FontUse>>();

/** The fonts that a page can reach, each once. */
export function scanFonts(file: PdfFile, page: PageFacts): FontUse[] {
  const fonts: FontUse[] = [];
  const seen = new Set<PdfValue | number>();
  const isNew = (value: PdfValue | undefined): boolean => {
    const key = isRef(value) ? value.num : (value ?? null);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  const scan = (resources: PdfValue, depth: number): void => {
    if (!isDict(resources) || depth > maxDepth) return;
    const list = file.entry(resources, 'Font');
    for (const value of isDict(list) ? list.map.values() : []) {
      const dict = file.resolve(value);
      if (!isDict(dict) || !isNew(value)) continue;
      fonts.push(describe(file, dict, isRef(value) ? value.num : 0));
      // Glyph procedures of a Type 3 font may use other fonts.
      scanInner(dict, 'Resources', depth);
    }
    for (const category of ['XObject', 'Pattern']) {
      const inner = file.entry(resources, category);
      for (const value of isDict(inner) ? inner.map.values() : []) {
        const dict = isNew(value) ? file.resolve(value) : null;
        if (isDict(dict)) scanInner(dict, 'Resources', depth);
      }
    }
    const states = file.entry(resources, 'ExtGState');
    for (const value of isDict(states) ? states.map.values() : []) {
      const state = isNew(value) ? file.resolve(value) : null;
      const mask = isDict(state) ? file.entry(state, 'SMask') : null;
      const group = isDict(mask) ? file.entry(mask, 'G') : null;
      if (isDict(group)) scanInner(group, 'Resources', depth);
    }
  };
  const scanInner = (dict: PdfDict, key: string, depth: number): void => {
    const resources = file.entry(dict, key);
    if (isNew(dict.map.get(key))) scan(resources, depth + 1);
  };
  scan(page.resources, 0);
  for (const entry of page.annotations) {
    const annotation = file.resolve(entry);
    const form = isDict(annotation) ? appearanceOf(file, annotation) : null;
    if (form) scanInner(form, 'Resources', 0);
  }
  return fonts;
}

function describe(file: PdfFile, dict: PdfDict, object: number): FontUse {
  let known = described.get(file);
  if (!known) {
    known = new Map();
    described.set(file, known);
  }
  const cached = object === 0 ? undefined : known.get(object);
  if (cached) return cached;
  const facts = readFontFacts(file, dict, object);
  const use: FontUse = {
    name: facts.baseName,
    type: facts.type,
    embedded: facts.isEmbedded,
    subset: facts.isSubset,
    object,
  };
  if (object !== 0) known.set(object, use);
  return use;
}
