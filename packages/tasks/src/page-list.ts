import type { PageList } from '@pdf2press/contract';
import { bindingOf, boxNames, type PageFacts, type PdfFile } from '@pdf2press/pdf';

type Page = PageList['pages'][number];

const copied = (boxes: PageFacts['effective']): Page['effective'] =>
  Object.fromEntries(boxNames.map((name) => [name, [...boxes[name]]])) as Page['effective'];

/** The pages of an opened file, for the viewer. */
export const pageListOf = (file: PdfFile): PageList => ({
  binding: bindingOf(file),
  pages: file.pages.map(({ number, label, effective, rotate, userUnit }) => ({
    number,
    label,
    effective: copied(effective),
    rotate,
    userUnit,
  })),
});
