/**
 * Changes content operator by operator, wherever it stands: pages, forms, patterns, Type 3 glyphs, soft masks,
 * appearances. A stream that changes is copied for the use it changed in; all other bytes stay as they are.
 */
import { createHash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { deflateSync } from 'node:zlib';
import { createLexer, nextToken, tokens } from '../open/lexer.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import type { FileRange } from '../open/plain-objects.ts';
import { isDict, isRef, type PdfDict, type PdfRef, type PdfValue, pdfName } from '../open/values.ts';
import { valueText } from '../write/value-text.ts';
import { interpretPage } from './interpret-page.ts';
import { type OperatorEdit, type PlacedEdit, rewriteContent } from './rewrite-content.ts';
import { patternPlace } from './set-color.ts';
import type { OperatorEvent, Place, Reader, Run, RunEvent } from './types.ts';

export type ResourceCategory = 'ColorSpace' | 'ExtGState' | 'Font' | 'Pattern' | 'Properties' | 'Shading' | 'XObject';

export interface RewriteTools {
  /** Makes a resource usable in the stream of the operator at hand; its name there. The same value keeps its name. */
  resource: (category: ResourceCategory, value: PdfValue, hint?: string) => string;
}

export interface RewriteOptions {
  /** From 1; all pages when left out. */
  pages?: readonly number[];
  /** Appearances of annotations too. Default true. */
  annotations?: boolean;
  /** What does not show at present, too: see `WalkOptions`. Default false. */
  unshown?: boolean;
  /**
   * Called for each operator with the state before it. States follow the original content, not the edits.
   * @returns nothing to keep the operator's bytes as they are
   */
  operator: (event: OperatorEvent, tools: RewriteTools) => OperatorEdit | undefined;
  /** Called before a page: false leaves it as it is. What is decided for a page can be forgotten after it. */
  page?: (number: number) => boolean;
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
  readonly resources: Map<string, { category: ResourceCategory; name: string; value: PdfValue }>;
}

const pagesPerLook = 16;
/** Of what pages leave behind the runtime lets four times as much lie about as is in use, if it is let. */
const maxGarbageBytes = 16 * 2 ** 20;

export function rewriteDocument(file: PdfFile, options: RewriteOptions): RewriteSummary {
  const rewriter = createRewriter(file);
  const changedPages: number[] = [];
  const pages = options.pages ?? file.pages.map((facts) => facts.number);
  let inUse = heapBytes();
  for (const [done, page] of pages.entries()) {
    if (globalThis.gc && done % pagesPerLook === pagesPerLook - 1 && heapBytes() > inUse + maxGarbageBytes) {
      globalThis.gc();
      inUse = heapBytes();
    }
    if ((options.page?.(page) ?? true) && rewriter.page(page, options)) changedPages.push(page);
  }
  rewriter.finish();
  return { changedPages, changedStreams: rewriter.changedStreams() };
}

const heapBytes = (): number => getHeapStatistics().used_heap_size;

function createRewriter(file: PdfFile): {
  page: (number: number, options: RewriteOptions) => boolean;
  finish: () => void;
  changedStreams: () => number;
} {
  /** Changes to objects there are: all pages are read as they were before. New streams lie on disk meanwhile. */
  const changes: (() => void)[] = [];
  /** Changed copies by what they came from and became: equal uses share one. */
  const copies = new Map<string, PdfRef>();
  const replacedGlyphs = new Set<number>();
  let drafts = new Map<Run, Draft>();
  let changedStreams = 0;

  /** What glyphs need in addition, by their font's number: its resources are theirs (ISO 32000-1, 9.6.5). */
  const ofFonts = new Map<number, Draft['resources']>();

  const draftOf = (run: Run): Draft => {
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
  const isChanged = (draft: Draft | undefined): draft is Draft =>
    draft !== undefined && (draft.edits.size > 0 || draft.resources.size > 0);

  const spool = (bytes: Uint8Array): FileRange => file.spool(deflateSync(bytes));

  const addResource = (run: Run, category: ResourceCategory, value: PdfValue, hint: string): string => {
    const { resources } = draftOf(run);
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
  };

  /** The run's resource dictionary with what was added to it, as a new direct object. */
  const resourcesWith = (run: Run, draft: Draft): PdfDict => {
    const added = new Map<string, Map<string, PdfValue>>();
    for (const { category, name, value } of draft.resources.values()) {
      // Categories may be shared with other pages by reference: a copy of one's own is extended.
      const existing = run.resources ? file.entry(run.resources, category) : null;
      const list = added.get(category) ?? new Map(isDict(existing) ? existing.map : []);
      added.set(category, list.set(name, value));
    }
    return dictWith(
      run.resources,
      [...added].map(([category, map]) => [category, { kind: 'dict', map, stream: 0 }]),
    );
  };

  /** A stream object like `dict` with the draft's bytes and resources. */
  const changedCopy = (run: Run, draft: Draft): PdfRef => {
    const bytes = rewriteContent(run.bytes, [...draft.edits.values()]);
    const added = [...draft.resources.entries()].map(([key, { name }]) => `${key} ${name}`).join('\n');
    const key = `${run.object} ${createHash('sha1').update(bytes).update(added).digest('hex')}`;
    const known = copies.get(key);
    if (known) return known;
    const copy = refTo(file.reserve());
    file.set(copy.num, streamDict(run, draft), spool(bytes));
    copies.set(key, copy);
    changedStreams += 1;
    return copy;
  };

  /** The dictionary of a changed stream like the run's. */
  const streamDict = (run: Run, draft: Draft): PdfDict =>
    dictWith(withoutKeys(run.dict, ['Length', 'Filter', 'DecodeParms', 'DL']), [
      ...(draft.resources.size > 0 ? [['Resources', resourcesWith(run, draft)] as const] : []),
      ['Filter', pdfName('FlateDecode')],
    ]);

  /** Points the operator at `place` to another resource; an edit of the caller's that replaces it goes first. */
  const rename = (place: Place, category: ResourceCategory, value: PdfValue, hint: string): void => {
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
        if (run.kind === 'type3' && draft.edits.size > 0 && !replacedGlyphs.has(run.object)) {
          replacedGlyphs.add(run.object);
          replaceGlyph(run, draft);
        }
    }
  };

  const replaceSoftMask = (via: Place, group: PdfRef): void => {
    const list = via.run.resources ? file.entry(via.run.resources, 'ExtGState') : null;
    const name = lastName(via);
    const state = isDict(list) ? file.entry(list, name) : null;
    const mask = isDict(state) ? file.entry(state, 'SMask') : null;
    if (!isDict(state) || !isDict(mask)) return;
    rename(via, 'ExtGState', dictWith(state, [['SMask', dictWith(mask, [['G', group]])]]), name);
  };

  const replaceAppearance = (run: Run, copy: PdfRef): void => {
    const { annotation } = run;
    if (!annotation) return;
    const page = file.pages[run.page - 1];
    const [num, way] = annotation.object
      ? [annotation.object, []]
      : [page?.object ?? 0, ['Annots', annotation.index] as const];
    changes.push(() => file.put(num, [...way, 'AP', ...annotation.way], copy));
  };

  const replaceGlyph = (run: Run, draft: Draft): void => {
    const bytes = rewriteContent(run.bytes, [...draft.edits.values()]);
    const font = fontOf(file, run);
    const own = font === null ? draft : { ...draft, resources: new Map() };
    const [dict, range] = [streamDict(run, own), spool(bytes)];
    changes.push(() => file.set(run.object, dict, range));
    if (font !== null && draft.resources.size > 0) {
      // Glyphs after this one may add to them.
      const resources = resourcesWith(run, draft);
      changes.push(() => file.put(font, ['Resources'], resources));
    }
    changedStreams += 1;
  };

  const replacePage = (run: Run, draft: Draft): void => {
    const bytes = rewriteContent(run.bytes, [...draft.edits.values()]);
    const contents = refTo(file.reserve());
    file.set(contents.num, dictWith(null, [['Filter', pdfName('FlateDecode')]]), spool(bytes));
    const resources = draft.resources.size > 0 ? resourcesWith(run, draft) : null;
    changes.push(() => {
      file.put(run.object, ['Contents'], contents);
      if (resources) file.put(run.object, ['Resources'], resources);
    });
    changedStreams += 1;
  };

  return {
    changedStreams: () => changedStreams,
    finish() {
      for (const change of changes) change();
    },
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
      const { annotations = true, unshown = false } = options;
      interpretPage(file, number, [reader], { annotations, unshown, everyUse: true });
      return changedStreams > before || drafts.size > 0;
    },
  };
}

/** The font that a glyph's procedure is of; null for other runs, and for a font that is no object of its own. */
function fontOf(file: PdfFile, run: Run): number | null {
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

const refTo = (num: number): PdfRef => ({ kind: 'ref', num });

const dictWith = (dict: PdfDict | null, entries: Iterable<readonly [string, PdfValue]>): PdfDict => ({
  kind: 'dict',
  map: new Map([...(dict?.map ?? []), ...entries]),
  stream: 0,
});

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
