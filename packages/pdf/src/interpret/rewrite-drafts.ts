/** Edits in progress of `rewriteDocument`, and the dictionaries of edited streams. */
import type { PdfFile } from '../open/pdf-file.ts';
import { isDict, isRef, type PdfDict, type PdfValue, pdfName } from '../open/values.ts';
import { valueText } from '../write/value-text.ts';
import type { PlacedEdit } from './rewrite-content.ts';
import type { Run } from './types.ts';

/** Resource categories that a rewrite can add (ISO 32000-1, 7.8.3). */
export type ResourceCategory = 'ColorSpace' | 'ExtGState' | 'Font' | 'Pattern' | 'Properties' | 'Shading' | 'XObject';

/** `isRenamed` marks an edit made here because the stream that the operator uses was copied. */
export type DraftEdit = PlacedEdit & { isRenamed?: boolean };

/** Pending edits of one run. */
export interface Draft {
  readonly edits: Map<number, DraftEdit>;
  readonly resources: Map<string, { category: ResourceCategory; name: string; value: PdfValue }>;
}

/** The drafts of the runs of one page. */
export interface Drafts {
  /** The draft of a run, created on first use. */
  readonly of: (run: Run) => Draft;
  readonly get: (run: Run) => Draft | undefined;
  readonly remove: (run: Run) => void;
  /** True when there are drafts. */
  readonly hasAny: () => boolean;
  /** Starts a new page. */
  readonly clear: () => void;
  /** Adds a resource to a run under an unused name and returns the name; equal values share one. */
  readonly addResource: (run: Run, category: ResourceCategory, value: PdfValue, hint: string) => string;
}

export function createDrafts(file: PdfFile): Drafts {
  const drafts = new Map<Run, Draft>();
  // Resources added for Type 3 glyphs, by the object number of the font: glyphs use the resources of their font
  // (ISO 32000-1, 9.6.5).
  const ofFonts = new Map<number, Draft['resources']>();

  const of = (run: Run): Draft => {
    let draft = drafts.get(run);
    if (!draft) {
      const font = fontOf(file, run);
      const shared = font === null ? undefined : (ofFonts.get(font) ?? new Map());
      if (font !== null && shared) ofFonts.set(font, shared);
      draft = { edits: new Map(), resources: shared ?? new Map() };
      drafts.set(run, draft);
    }
    return draft;
  };
  return {
    of,
    get: (run) => drafts.get(run),
    remove: (run) => void drafts.delete(run),
    hasAny: () => drafts.size > 0,
    clear: () => drafts.clear(),
    addResource(run, category, value, hint) {
      const { resources } = of(run);
      const key = `${category} ${valueText(value, (num) => num)}`;
      const known = resources.get(key);
      if (known) return known.name;
      const existing = run.resources ? file.entry(run.resources, category) : null;
      const taken = new Set(isDict(existing) ? existing.map.keys() : []);
      for (const added of resources.values()) if (added.category === category) taken.add(added.name);
      let name = hint;
      for (let number = 1; taken.has(name); number += 1) name = `${hint}${number}`;
      resources.set(key, { category, name, value });
      return name;
    },
  };
}

/** True when a draft has edits or added resources. */
export const isChanged = (draft: Draft | undefined): draft is Draft =>
  draft !== undefined && (draft.edits.size > 0 || draft.resources.size > 0);

/** The resource dictionary of the run including added resources, as a new direct object. */
export function resourcesWith(file: PdfFile, run: Run, draft: Draft): PdfDict {
  const added = new Map<string, Map<string, PdfValue>>();
  for (const { category, name, value } of draft.resources.values()) {
    // A category dictionary may be shared with other pages, so a copy of it is extended.
    const existing = run.resources ? file.entry(run.resources, category) : null;
    const list = added.get(category) ?? new Map(isDict(existing) ? existing.map : []);
    added.set(category, list.set(name, value));
  }
  return dictWith(
    run.resources,
    [...added].map(([category, map]) => [category, { kind: 'dict', map, stream: 0 }]),
  );
}

/** The stream dictionary of the run after editing. */
export const streamDict = (file: PdfFile, run: Run, draft: Draft): PdfDict =>
  dictWith(withoutKeys(run.dict, ['Length', 'Filter', 'DecodeParms', 'DL']), [
    ...(draft.resources.size > 0 ? [['Resources', resourcesWith(file, run, draft)] as const] : []),
    ['Filter', pdfName('FlateDecode')],
  ]);

/**
 * Object number of the Type 3 font whose glyph procedure the run executes; null for other runs and for a font that is a
 * direct object.
 */
export function fontOf(file: PdfFile, run: Run): number | null {
  const fonts = run.kind === 'type3' && run.via?.run.resources ? file.entry(run.via.run.resources, 'Font') : null;
  for (const entry of isDict(fonts) ? fonts.map.values() : []) {
    const font = isRef(entry) ? file.resolve(entry) : null;
    const procedures = isDict(font) ? file.entry(font, 'CharProcs') : null;
    if (!isRef(entry) || !isDict(procedures)) continue;
    for (const procedure of procedures.map.values())
      if (isRef(procedure) && procedure.num === run.object) return entry.num;
  }
  return null;
}

/** A dictionary with changed entries. */
export const dictWith = (dict: PdfDict | null, entries: Iterable<readonly [string, PdfValue]>): PdfDict => ({
  kind: 'dict',
  map: new Map([...(dict?.map ?? []), ...entries]),
  stream: 0,
});

function withoutKeys(dict: PdfDict, keys: readonly string[]): PdfDict {
  const map = new Map<string, PdfValue>(dict.map);
  for (const key of keys) map.delete(key);
  return { kind: 'dict', map, stream: 0 };
}
