/** What annotations show becomes part of the page. */
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
import type { FixContext } from '../runner.ts';

/** Draws appearances above the page's content, in order, each in its layer. The annotations themselves stay where they are. */
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

/** An appearance need not say that it is a form; drawn by Do, it must. */
function ensureForm({ edit, file }: Pick<FixContext, 'edit' | 'file'>, num: number): void {
  const dict = file.get(num);
  if (isDict(dict) && !isName(dict.map.get('Subtype'), 'Form')) edit.put(num, 'Subtype', pdfName('Form'));
}
