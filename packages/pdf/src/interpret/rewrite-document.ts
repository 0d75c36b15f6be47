/**
 * Edits content operator by operator in all content streams: pages, forms, patterns, Type 3 glyphs, soft masks and
 * appearances. A changed stream is copied for the use in which it changed; all other bytes stay as they are.
 */
import { createHash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { deflateSync } from 'node:zlib';
import { createLexer, nextToken, tokens } from '../open/lexer.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import type { FileRange } from '../open/plain-objects.ts';
import { isDict, type PdfRef, type PdfValue, pdfName } from '../open/values.ts';
import { interpretPage } from './interpret-page.ts';
import { type OperatorEdit, rewriteContent } from './rewrite-content.ts';
import {
  createDrafts,
  type Draft,
  dictWith,
  fontOf,
  isChanged,
  type ResourceCategory,
  resourcesWith,
  streamDict,
} from './rewrite-drafts.ts';
import { patternPlace } from './set-color.ts';
import type { OperatorEvent, Place, Reader, Run, RunEvent } from './types.ts';

/** What an operator callback can use. */
export interface RewriteTools {
  /**
   * Adds a resource to the stream of the current operator and returns its name there. Equal values share one name.
   * @throws RangeError outside of an operator callback
   */
  resource: (category: ResourceCategory, value: PdfValue, hint?: string) => string;
}

/** What to edit and how; see `rewriteDocument`. */
export interface RewriteOptions {
  /** Page numbers from 1; default: all pages. */
  pages?: readonly number[];
  /** Whether to edit the appearances of annotations. Default true. */
  annotations?: boolean;
  /** Whether to edit content that is not shown at present; see `WalkOptions`. Default false. */
  unshown?: boolean;
  /**
   * Called for each operator with the graphics state before it. States follow the original content, not the edits.
   * @returns undefined to keep the operator unchanged
   */
  operator: (event: OperatorEvent, tools: RewriteTools) => OperatorEdit | undefined;
  /** Called before a page; false skips it. Data collected for a page can be discarded after it. */
  page?: (number: number) => boolean;
}

/** Result of a rewrite. */
export interface RewriteSummary {
  /** Numbers of the pages whose content, or anything it uses, was changed. */
  changedPages: number[];
  changedStreams: number;
}

// Pages between two checks of the heap.
const pagesPerLook = 16;
/** Garbage allowed on the heap. Without explicit collection V8 lets it grow to about four times the memory in use. */
const maxGarbageBytes = 16 * 2 ** 20;

/**
 * Edits the content of the given pages; see `RewriteOptions`. The changes are in memory; write them with `rewritePdf`
 * or `patchCopy`.
 * @throws FileFaultError PDF_LIMIT_EXPANSION, PDF_LIMIT_NESTING, PDF_MEMORY
 */
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

/** One function, because its parts share the collected changes and the number of changed streams. */
function createRewriter(file: PdfFile): {
  page: (number: number, options: RewriteOptions) => boolean;
  finish: () => void;
  changedStreams: () => number;
} {
  // Changes to existing objects, applied at the end so that all pages are read as they were before.
  const changes: (() => void)[] = [];
  // Changed copies by original stream and new content, so that equal uses share one copy.
  const copies = new Map<string, PdfRef>();
  const replacedGlyphs = new Set<number>();
  const drafts = createDrafts(file);
  let changedStreams = 0;

  const spool = (bytes: Uint8Array): FileRange => file.spool(deflateSync(bytes));

  /** A new stream object for the edited run; equal results share one object. */
  const changedCopy = (run: Run, draft: Draft): PdfRef => {
    const bytes = rewriteContent(run.bytes, [...draft.edits.values()]);
    const added = [...draft.resources.entries()].map(([key, { name }]) => `${key} ${name}`).join('\n');
    const key = `${run.object} ${createHash('sha1').update(bytes).update(added).digest('hex')}`;
    const known = copies.get(key);
    if (known) return known;
    const copy = refTo(file.reserve());
    file.set(copy.num, streamDict(file, run, draft), spool(bytes));
    copies.set(key, copy);
    changedStreams += 1;
    return copy;
  };

  /** Makes the operator at `place` use another resource, unless the caller replaces that operator. */
  const rename = (place: Place, category: ResourceCategory, value: PdfValue, hint: string): void => {
    const { edits } = drafts.of(place.run);
    const edit = edits.get(place.start);
    if (edit?.replace !== undefined && !edit.isRenamed) return;
    const name = drafts.addResource(place.run, category, value, hint);
    const replaced = renamed(place, name);
    if (replaced === null) return;
    edits.set(place.start, { ...edit, start: place.start, end: place.end, replace: replaced, isRenamed: true });
  };

  const finishRun = ({ run, state }: RunEvent): void => {
    const draft = drafts.get(run);
    drafts.remove(run);
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
        // A glyph belongs to its font: it is changed once, for all text in that font.
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
    const [dict, range] = [streamDict(file, run, own), spool(bytes)];
    changes.push(() => file.set(run.object, dict, range));
    if (font !== null && draft.resources.size > 0) {
      // Later glyphs of the font may add further resources.
      const resources = resourcesWith(file, run, draft);
      changes.push(() => file.put(font, ['Resources'], resources));
    }
    changedStreams += 1;
  };

  const replacePage = (run: Run, draft: Draft): void => {
    const bytes = rewriteContent(run.bytes, [...draft.edits.values()]);
    const contents = refTo(file.reserve());
    file.set(contents.num, dictWith(null, [['Filter', pdfName('FlateDecode')]]), spool(bytes));
    const resources = draft.resources.size > 0 ? resourcesWith(file, run, draft) : null;
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
      drafts.clear();
      const before = changedStreams;
      let atHand: Run | null = null;
      const tools: RewriteTools = {
        resource(category, value, hint = 'P2P') {
          if (!atHand) throw new RangeError('resources are added while an operator is at hand');
          return drafts.addResource(atHand, category, value, hint);
        },
      };
      const reader: Reader = {
        operator(event) {
          atHand = event.place.run;
          const edit = options.operator(event, tools);
          if (edit)
            drafts.of(atHand).edits.set(event.place.start, { ...edit, start: event.place.start, end: event.place.end });
        },
        runEnd: finishRun,
        pageEnd(run) {
          const draft = drafts.get(run);
          // A page that is a direct object cannot be changed.
          if (isChanged(draft) && run.object !== 0) replacePage(run, draft);
        },
      };
      const { annotations = true, unshown = false } = options;
      interpretPage(file, number, [reader], { annotations, unshown, everyUse: true });
      return changedStreams > before || drafts.hasAny();
    },
  };
}

const refTo = (num: number): PdfRef => ({ kind: 'ref', num });

/** The last name operand of an operator and its position. */
function findLastName(place: Place): { name: string; start: number; end: number } | null {
  const lexer = createLexer(place.run.bytes, place.start, place.end);
  let found: { name: string; start: number; end: number } | null = null;
  for (let token = nextToken(lexer); token !== tokens.end; token = nextToken(lexer)) {
    if (token === tokens.name) found = { name: lexer.name.name, start: lexer.start, end: lexer.pos };
  }
  return found;
}

const lastName = (place: Place): string => findLastName(place)?.name ?? '';

/** The bytes of the operator with another last name. */
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

/**
 * Writes a name for a content stream, without the slash: bytes that are not regular printable characters become #xx
 * (ISO 32000-1, 7.3.5).
 */
export function escapeName(name: string): string {
  return name.replace(/[^!-~]|[#()<>[\]{}/%]/g, (char) => `#${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
