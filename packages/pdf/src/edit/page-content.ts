/** A page's content streams and resources, for those who add to them. */
import { interpretPage } from '../interpret/interpret-page.ts';
import { rewriteDocument } from '../interpret/rewrite-document.ts';
import type { SyntaxEvent } from '../interpret/types.ts';
import type { PageFacts, PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isRef, type PdfDict, type PdfValue } from '../open/values.ts';
import type { PdfEditor } from './editor.ts';
import { pdfDict, pdfRef } from './make-values.ts';

export type ResourceKind = 'ExtGState' | 'ColorSpace' | 'XObject' | 'Font' | 'Pattern' | 'Shading' | 'Properties';

/** The page's content streams as references, in order. */
export function contentRefs(file: PdfFile, page: PageFacts): PdfValue[] {
  const contents = file.get(page.object);
  const value = isDict(contents) ? contents.map.get('Contents') : undefined;
  const resolved = file.resolve(value);
  if (isArray(resolved)) return resolved.filter((entry) => isRef(entry) && isDict(file.resolve(entry)));
  return isRef(value) && isDict(resolved) ? [value] : [];
}

export interface Wrapping {
  before: string;
  after: string;
}

/**
 * Puts content before and after what is there; the streams in between stay as they are. What would reach out of them is
 * settled first: saves and marks left open are closed, restores of nothing find something.
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
 * Makes the page's content stand by itself. Ghostscript and MuPDF begin a page with one state saved: the first restore
 * too many brings that back, the others do nothing. So the first is given a save of its own, the others go.
 * @returns what has to stand around the content
 */
function settleContent(edit: PdfEditor, page: PageFacts): Wrapping {
  const strays: number[] = [];
  const open = { saves: 0, marks: 0 };
  const see = ({ code, place, params }: SyntaxEvent): void => {
    if (place.run.kind !== 'page') return;
    const count = Number(params.count ?? 0);
    if (code === 'restore.unmatched') strays.push(place.index);
    // Reported once, at the end, with how many there are.
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
 * The page's own resource dictionary as it is now, inherited ones copied to the page, so that an addition shows on this
 * page only.
 */
export function ownResources(edit: PdfEditor, page: PageFacts): PdfDict {
  const now = edit.file.get(page.object);
  const own = isDict(now) ? edit.file.resolve(now.map.get('Resources')) : null;
  return isDict(own) ? own : (page.resources ?? pdfDict({}));
}

/** Adds resources to a page under names that are free; the page gets a resource dictionary of its own. */
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
