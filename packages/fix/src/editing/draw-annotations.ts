/** Draws the appearances of annotations into the page content. */
import {
  addResources,
  type DrawnAnnotation,
  isDict,
  isName,
  matrixText,
  type PageFacts,
  type PdfValue,
  pdfName,
  pdfRef,
  type ResourceKind,
  wrapContent,
} from '@pdf2press/pdf';
import type { FixContext } from '../kind/runner.ts';

/**
 * Draws appearance streams above the page content in the given order, each within its optional content group. The
 * annotations themselves are not removed.
 */
export function drawAnnotations(
  context: Pick<FixContext, 'edit' | 'file'>,
  page: PageFacts,
  looks: readonly DrawnAnnotation[],
): void {
  if (looks.length === 0) return;
  const { edit } = context;
  const resources: { kind: ResourceKind; value: PdfValue; hint: string }[] = looks.flatMap(({ appearance, layer }) => [
    { kind: 'XObject', value: pdfRef(appearance), hint: 'Annot' },
    ...(layer === null ? [] : [{ kind: 'Properties' as const, value: layer, hint: 'AnnotOC' }]),
  ]);
  const names = addResources(edit, page, resources);
  let at = 0;
  const content = looks.map(({ appearance, matrix, layer }) => {
    ensureForm(context, appearance);
    const paint = `q ${matrixText(matrix)} cm /${names[at]} Do Q`;
    const text = layer === null ? paint : `/OC /${names[at + 1]} BDC ${paint} EMC`;
    at += layer === null ? 1 : 2;
    return `${text}\n`;
  });
  wrapContent(edit, page, { before: 'q\n', after: `\nQ\n${content.join('')}` });
}

/** An appearance stream may lack /Subtype /Form; the operator Do requires it. */
function ensureForm({ edit, file }: Pick<FixContext, 'edit' | 'file'>, num: number): void {
  const dict = file.get(num);
  if (isDict(dict) && !isName(dict.map.get('Subtype'), 'Form')) edit.put(num, 'Subtype', pdfName('Form'));
}
