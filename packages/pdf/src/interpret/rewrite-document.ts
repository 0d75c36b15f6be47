/**
 * Changes content operator by operator, wherever it stands: pages, forms, patterns, Type 3 glyphs, soft masks,
 * appearances. A stream that changes is copied for the use it changed in; all other bytes stay as they are.
 */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { PDFObject } from 'mupdf';
import { toEngineValue } from '../open/engine-values.ts';
import { createLexer, nextToken, tokens } from '../open/lexer.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isDict, type PdfDict, type PdfValue } from '../open/values.ts';
import { interpretPage } from './interpret-page.ts';
import { type OperatorEdit, type PlacedEdit, rewriteContent } from './rewrite-content.ts';
import { patternPlace } from './set-color.ts';
import type { OperatorEvent, Place, Reader, Run, RunEvent } from './types.ts';

export type ResourceCategory = 'ColorSpace' | 'ExtGState' | 'Font' | 'Pattern' | 'Properties' | 'Shading' | 'XObject';

export interface RewriteTools {
  /** Makes a resource usable in the stream of the operator at hand; its name there. The same value keeps its name. */
  resource: (category: ResourceCategory, value: PDFObject, hint?: string) => string;
}

export interface RewriteOptions {
  /** From 1; all pages when left out. */
  pages?: readonly number[];
  /** Appearances of annotations too. Default true. */
  annotations?: boolean;
  /**
   * Called for each operator with the state before it. States follow the original content, not the edits.
   * @returns nothing to keep the operator's bytes as they are
   */
  operator: (event: OperatorEvent, tools: RewriteTools) => OperatorEdit | undefined;
}

export interface RewriteSummary {
  /** Pages whose own content or anything it uses changed. */
  changedPages: number[];
  changedStreams: number;
}

/** `isRenamed`: ours, because a stream it uses was copied. */
type DraftEdit = PlacedEdit & { isRenamed?: boolean };

/** Edits of one run in progress. */
interface Draft {
  readonly edits: Map<number, DraftEdit>;
  readonly resources: Map<string, { category: ResourceCategory; name: string; value: PDFObject }>;
}

export function rewriteDocument(file: PdfFile, options: RewriteOptions): RewriteSummary {
  // Settles which engine it is: from here on that one holds changes.
  file.forget();
  const rewriter = createRewriter(file);
  const changedPages: number[] = [];
  for (const page of options.pages ?? file.pages.map((facts) => facts.number)) {
    if (rewriter.page(page, options)) changedPages.push(page);
  }
  // What was read of the old objects no longer holds.
  file.forget();
  return { changedPages, changedStreams: rewriter.changedStreams() };
}

function createRewriter(file: PdfFile): {
  page: (number: number, options: RewriteOptions) => boolean;
  changedStreams: () => number;
} {
  /** Changed copies by what they came from and became: equal uses share one. */
  const copies = new Map<string, PDFObject>();
  const replacedGlyphs = new Set<number>();
  let drafts = new Map<Run, Draft>();
  let changedStreams = 0;

  const draftOf = (run: Run): Draft => {
    let draft = drafts.get(run);
    if (!draft) {
      draft = { edits: new Map(), resources: new Map() };
      drafts.set(run, draft);
    }
    return draft;
  };
  const isChanged = (draft: Draft | undefined): draft is Draft =>
    draft !== undefined && (draft.edits.size > 0 || draft.resources.size > 0);

  const addResource = (run: Run, category: ResourceCategory, value: PDFObject, hint: string): string => {
    const { resources } = draftOf(run);
    const key = `${category} ${value.toString(true, true)}`;
    const known = resources.get(key);
    if (known) return known.name;
    const existing = run.resources ? file.entry(run.resources, category) : null;
    const taken = new Set(isDict(existing) ? existing.map.keys() : []);
    for (const added of resources.values()) if (added.category === category) taken.add(added.name);
    let name = hint;
    for (let number = 1; taken.has(name); number += 1) name = `${hint}${number}`;
    resources.set(key, { category, name, value });
    return name;
  };

  /** The run's resource dictionary with what was added to it, as a new direct object. */
  const resourcesWith = (run: Run, draft: Draft): PDFObject => {
    const dict = toEngineValue(file.engine, run.resources && { ...run.resources, stream: 0 });
    const target = dict.isDictionary() ? dict : file.engine.newDictionary();
    for (const { category, name, value } of draft.resources.values()) {
      // Categories may be shared with other pages by reference: a copy of one's own is extended.
      const existing = run.resources ? file.entry(run.resources, category) : null;
      const current = target.get(category);
      let list: PDFObject;
      if (current.isDictionary() && !current.isIndirect()) list = current;
      else {
        list = isDict(existing) ? toEngineValue(file.engine, existing) : file.engine.newDictionary();
        target.put(category, list);
      }
      list.put(name, value);
    }
    return target;
  };

  /** A stream object like `dict` with the draft's bytes and resources. */
  const changedCopy = (run: Run, draft: Draft): PDFObject => {
    const bytes = rewriteContent(run.bytes, [...draft.edits.values()]);
    const added = [...draft.resources.entries()].map(([key, { name }]) => `${key} ${name}`).join('\n');
    const key = `${run.object} ${createHash('sha1').update(bytes).update(added).digest('hex')}`;
    const known = copies.get(key);
    if (known) return known;
    const dict = toEngineValue(file.engine, withoutKeys(run.dict, ['Length', 'Filter', 'DecodeParms', 'DL']));
    if (draft.resources.size > 0) dict.put('Resources', resourcesWith(run, draft));
    dict.put('Filter', file.engine.newName('FlateDecode'));
    const copy = file.engine.addRawStream(deflateSync(bytes), dict);
    copies.set(key, copy);
    changedStreams += 1;
    return copy;
  };

  /** Points the operator at `place` to another resource; an edit of the caller's that replaces it goes first. */
  const rename = (place: Place, category: ResourceCategory, value: PDFObject, hint: string): void => {
    const { edits } = draftOf(place.run);
    const edit = edits.get(place.start);
    if (edit?.replace !== undefined && !edit.isRenamed) return;
    const name = addResource(place.run, category, value, hint);
    const replaced = renamed(place, name);
    if (replaced === null) return;
    edits.set(place.start, { ...edit, start: place.start, end: place.end, replace: replaced, isRenamed: true });
  };

  const finishRun = ({ run, state }: RunEvent): void => {
    const draft = drafts.get(run);
    drafts.delete(run);
    if (!isChanged(draft)) return;
    switch (run.kind) {
      case 'form':
        if (run.via) rename(run.via, 'XObject', changedCopy(run, draft), run.name);
        break;
      case 'pattern': {
        const paint = [state.fill, state.stroke].find(({ pattern }) => pattern?.dict === run.dict);
        const place = paint && patternPlace(paint);
        if (place) rename(place, 'Pattern', changedCopy(run, draft), run.name);
        break;
      }
      case 'softmask':
        if (run.via) replaceSoftMask(run.via, changedCopy(run, draft));
        break;
      case 'appearance':
        replaceAppearance(run, changedCopy(run, draft));
        break;
      default:
        // A glyph belongs to its font: it is changed for all text in that font, once.
        if (run.kind === 'type3' && !replacedGlyphs.has(run.object)) {
          replacedGlyphs.add(run.object);
          replaceGlyph(run, draft);
        }
    }
  };

  const replaceSoftMask = (via: Place, group: PDFObject): void => {
    const list = via.run.resources ? file.entry(via.run.resources, 'ExtGState') : null;
    const name = lastName(via);
    const state = isDict(list) ? file.entry(list, name) : null;
    const mask = isDict(state) ? file.entry(state, 'SMask') : null;
    if (!isDict(state) || !isDict(mask)) return;
    const changedMask = toEngineValue(file.engine, mask);
    changedMask.put('G', group);
    const changed = toEngineValue(file.engine, state);
    changed.put('SMask', changedMask);
    rename(via, 'ExtGState', changed, name);
  };

  const replaceAppearance = (run: Run, copy: PDFObject): void => {
    const { annotation } = run;
    if (!annotation) return;
    const page = file.pages[run.page - 1];
    const object = annotation.object
      ? file.engine.newIndirect(annotation.object)
      : file.engine.newIndirect(page?.object ?? 0).get('Annots', annotation.index);
    const normal = object.get('AP', 'N');
    const appearances = object.get('AP');
    if (normal.isStream()) appearances.put('N', copy);
    else normal.put(object.get('AS').asName(), copy);
  };

  const replaceGlyph = (run: Run, draft: Draft): void => {
    const bytes = rewriteContent(run.bytes, [...draft.edits.values()]);
    const object = file.engine.newIndirect(run.object);
    object.writeStream(Buffer.from(bytes));
    file.moveStream(run.object, null);
    if (draft.resources.size > 0) object.put('Resources', resourcesWith(run, draft));
    changedStreams += 1;
  };

  const replacePage = (run: Run, draft: Draft): void => {
    const bytes = rewriteContent(run.bytes, [...draft.edits.values()]);
    const dict = file.engine.newDictionary();
    dict.put('Filter', file.engine.newName('FlateDecode'));
    const page = file.engine.newIndirect(run.object);
    page.put('Contents', file.engine.addRawStream(deflateSync(bytes), dict));
    if (draft.resources.size > 0) page.put('Resources', resourcesWith(run, draft));
    changedStreams += 1;
  };

  return {
    changedStreams: () => changedStreams,
    page(number, options) {
      drafts = new Map();
      const before = changedStreams;
      let atHand: Run | null = null;
      const tools: RewriteTools = {
        resource(category, value, hint = 'P2P') {
          if (!atHand) throw new RangeError('resources are added while an operator is at hand');
          return addResource(atHand, category, value, hint);
        },
      };
      const reader: Reader = {
        operator(event) {
          atHand = event.place.run;
          const edit = options.operator(event, tools);
          if (edit)
            draftOf(atHand).edits.set(event.place.start, { ...edit, start: event.place.start, end: event.place.end });
        },
        runEnd: finishRun,
        pageEnd(run) {
          const draft = drafts.get(run);
          // A page that is written directly into its tree has no object to change.
          if (isChanged(draft) && run.object !== 0) replacePage(run, draft);
        },
      };
      interpretPage(file, number, [reader], { annotations: options.annotations ?? true, everyUse: true });
      return changedStreams > before || drafts.size > 0;
    },
  };
}

function withoutKeys(dict: PdfDict, keys: readonly string[]): PdfDict {
  const map = new Map<string, PdfValue>(dict.map);
  for (const key of keys) map.delete(key);
  return { kind: 'dict', map, stream: 0 };
}

/** The last name among an operator's operands and where it stands. */
function findLastName(place: Place): { name: string; start: number; end: number } | null {
  const lexer = createLexer(place.run.bytes, place.start, place.end);
  let found: { name: string; start: number; end: number } | null = null;
  for (let token = nextToken(lexer); token !== tokens.end; token = nextToken(lexer)) {
    if (token === tokens.name) found = { name: lexer.name.name, start: lexer.start, end: lexer.pos };
  }
  return found;
}

const lastName = (place: Place): string => findLastName(place)?.name ?? '';

/** The operator's bytes with its last name changed. */
function renamed(place: Place, name: string): Uint8Array | null {
  const found = findLastName(place);
  if (!found) return null;
  const { bytes } = place.run;
  return Buffer.concat([
    bytes.subarray(place.start, found.start),
    Buffer.from(`/${escapeName(name)}`, 'latin1'),
    bytes.subarray(found.end, place.end),
  ]);
}

/** A name as it is written in content: what is not a regular printable character as #xx. */
export function escapeName(name: string): string {
  return name.replace(/[^!-~]|[#()<>[\]{}/%]/g, (char) => `#${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
