import type { PageList } from '@pdf2press/contract';
import { boxNames, type PageFacts } from '@pdf2press/pdf';

type Page = PageList['pages'][number];

const copied = (boxes: PageFacts['effective']): Page['effective'] =>
  Object.fromEntries(boxNames.map((name) => [name, [...boxes[name]]])) as Page['effective'];

/** The pages of an opened file, for the viewer. */
export const pageListOf = ({ pages }: { readonly pages: readonly PageFacts[] }): Page[] =>
  pages.map(({ number, label, effective, rotate, userUnit }) => ({
    number,
    label,
    effective: copied(effective),
    rotate,
    userUnit,
  }));
