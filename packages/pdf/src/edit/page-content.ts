/** Adds content and resources to pages. */
import { interpretPage } from '../interpret/interpret-page.ts';
import { rewriteDocument } from '../interpret/rewrite-document.ts';
import type { SyntaxEvent } from '../interpret/types.ts';
import type { PageFacts } from '../open/page-facts.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isRef, type PdfDict, type PdfValue } from '../open/values.ts';
import type { PdfEditor } from './editor.ts';
import { pdfDict, pdfRef } from './make-values.ts';

/** Resource categories (ISO 32000-1, 7.8.3). */
export type ResourceKind = 'ExtGState' | 'ColorSpace' | 'XObject' | 'Font' | 'Pattern' | 'Shading' | 'Properties';

/** References to the content streams of a page, in order. */
export function contentRefs(file: PdfFile, page: PageFacts): PdfValue[] {
  const contents = file.get(page.object);
  const value = isDict(contents) ? contents.map.get('Contents') : undefined;
  const resolved = file.resolve(value);
  if (isArray(resolved)) return resolved.filter((entry) => isRef(entry) && isDict(file.resolve(entry)));
  return isRef(value) && isDict(resolved) ? [value] : [];
}

/** Content stream text to put around the content of a page. */
export interface Wrapping {
  before: string;
  after: string;
}

/**
 * Puts content before and after the content of a page; its streams remain unchanged. Unbalanced operators are fixed
 * first: open saves and marks are closed, a surplus restore gets a save.
 */
export function wrapContent(edit: PdfEditor, page: PageFacts, { before, after }: Wrapping): void {
  const settled = settleContent(edit, page);
  const stream = (text: string): PdfValue[] =>
    text === '' ? [] : [pdfRef(edit.addStream(Buffer.from(text, 'latin1'), pdfDict({})))];
  edit.putPage(page, 'Contents', [
    ...stream(before + settled.before),
    ...contentRefs(edit.file, page),
    ...stream(settled.after + after),
  ]);
}

/**
 * Makes the content of a page balanced. Ghostscript and MuPDF start a page with one saved state, which the first
 * surplus Q restores; further ones have no effect. Therefore a q is put before the content if there is a surplus Q, and
 * further surplus Q are removed.
 * @returns what must be put around the content
 */
function settleContent(edit: PdfEditor, page: PageFacts): Wrapping {
  const strays: number[] = [];
  const open = { saves: 0, marks: 0 };
  const see = ({ code, place, params }: SyntaxEvent): void => {
    if (place.run.kind !== 'page') return;
    const count = Number(params.count ?? 0);
    if (code === 'restore.unmatched') strays.push(place.index);
    // Reported once at the end, with the number of open saves or marks.
    if (code === 'save.unmatched') open.saves = count;
    if (code === 'mark.unmatched' && count > 0) open.marks = count;
  };
  interpretPage(edit.file, page.number, [{ syntax: see }], {
    annotations: false,
    type3: false,
    patterns: false,
    softMasks: false,
  });
  const idle = new Set(strays.slice(1));
  if (idle.size > 0) {
    rewriteDocument(edit.file, {
      pages: [page.number],
      annotations: false,
      operator: ({ place }) => (place.run.kind === 'page' && idle.has(place.index) ? { replace: '' } : undefined),
    });
    edit.markChanged();
  }
  const closing = 'EMC '.repeat(open.marks) + 'Q '.repeat(open.saves);
  return { before: strays.length > 0 ? 'q\n' : '', after: closing && `\n${closing}` };
}

/**
 * The current resource dictionary of the page. Inherited resources are used as a base, so that additions affect this
 * page only.
 */
export function ownResources(edit: PdfEditor, page: PageFacts): PdfDict {
  const now = edit.file.get(page.object);
  const own = isDict(now) ? edit.file.resolve(now.map.get('Resources')) : null;
  return isDict(own) ? own : (page.resources ?? pdfDict({}));
}

/**
 * Adds resources to a page under unused names; the page gets its own resource dictionary.
 * @returns the names, in the order of `entries`
 */
export function addResources(
  edit: PdfEditor,
  page: PageFacts,
  entries: readonly { kind: ResourceKind; value: PdfValue; hint: string }[],
): string[] {
  const resources = ownResources(edit, page);
  const groups = new Map<ResourceKind, Map<string, PdfValue>>();
  const names = entries.map(({ kind, value, hint }) => {
    const known =
      groups.get(kind) ?? new Map((edit.file.resolve(resources.map.get(kind)) as PdfDict | null)?.map ?? []);
    groups.set(kind, known);
    let name = hint;
    for (let number = 1; known.has(name); number += 1) name = `${hint}${number}`;
    known.set(name, value);
    return name;
  });
  const changed = Object.fromEntries(
    [...groups].map(([kind, map]): [string, PdfValue] => [kind, { kind: 'dict', map, stream: 0 }]),
  );
  edit.putPage(page, 'Resources', pdfDict(changed, resources));
  return names;
}
