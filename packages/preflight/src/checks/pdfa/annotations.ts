/** Annotations of a page (ISO 19005-2, 6.3). */
import { dictOf, dictsIn, nameOf, numberOf, type PdfDict, type PdfFile, rectOf } from '@pdf2press/pdf';
import type { PageContext, Reporter } from '../runner.ts';

const forbidden = new Set(['3D', 'Sound', 'Screen', 'Movie', 'RichMedia']);

/** Annotation flags (ISO 32000-1, table 165). */
const flag = { invisible: 1, hidden: 2, print: 4, noZoom: 8, noRotate: 16, noView: 32, toggleNoView: 256 } as const;
const mustBeClear = flag.invisible | flag.hidden | flag.noView | flag.toggleNoView;

export function judgeAnnotations({ file, page }: PageContext<'PdfA'>, tell: Reporter<'PdfA'>): void {
  for (const annotation of dictsIn(file, page.annotations)) {
    const subtype = nameOf(file, annotation, 'Subtype') ?? '';
    const rect = rectOf(file, annotation, 'Rect');
    const finding = { objectType: 'annotation', ...(rect && { box: rect }), params: { subtype } } as const;
    if (subtype === '' || forbidden.has(subtype)) tell({ ...finding, rule: 'annotationType' });
    else if (!areFlagsRight(file, annotation, subtype)) tell({ ...finding, rule: 'annotationFlags' });
    else if (!hasLook(file, annotation, subtype, rect)) tell({ ...finding, rule: 'annotationLook' });
  }
}

/** What is on the screen must be on paper as well, and stay so. */
function areFlagsRight(file: PdfFile, annotation: PdfDict, subtype: string): boolean {
  if (subtype === 'Popup') return true;
  const flags = numberOf(file, annotation, 'F');
  if (flags === null || (flags & flag.print) === 0 || (flags & mustBeClear) !== 0) return false;
  return subtype !== 'Text' || (flags & flag.noZoom && flags & flag.noRotate) !== 0;
}

/** A field may have its type from its parent. */
function fieldType(file: PdfFile, field: PdfDict, depth = 0): string | null {
  const parent = dictOf(file, field, 'Parent');
  return nameOf(file, field, 'FT') ?? (parent && depth < 32 ? fieldType(file, parent, depth + 1) : null);
}

/** An appearance of its own, and only the normal one: else each program draws its own. */
function hasLook(file: PdfFile, annotation: PdfDict, subtype: string, rect: readonly number[] | null): boolean {
  const look = dictOf(file, annotation, 'AP');
  if (look) {
    const normal = dictOf(file, look, 'N');
    // Only the button of a form has a look for each of its states.
    const isButton = subtype === 'Widget' && fieldType(file, annotation) === 'Btn';
    return normal !== null && normal.stream > 0 !== isButton && !look.map.has('R') && !look.map.has('D');
  }
  const isEmpty = rect === null || (rect[0] === rect[2] && rect[1] === rect[3]);
  return isEmpty || subtype === 'Popup' || subtype === 'Link';
}
