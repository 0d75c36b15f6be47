import { addResources, type PageFacts, type PdfEditor, pdfDict, pdfName, pdfRef, separationOf } from '@pdf2press/pdf';
import { inkNameBytes } from './space-value.ts';

/** Inks in percent, as settings have them. */
export interface InkPercents {
  c: number;
  m: number;
  y: number;
  k: number;
}

/** A spot colour that an action draws with. */
export interface SpotInk {
  /** Makes the ink a resource of a page and returns the name of its colour space there. */
  on: (page: PageFacts) => string;
}

/** The spot colour as the file defines it; one that the file does not have is shown as `alternate`. */
export function spotInk(edit: PdfEditor, name: string, { c, m, y, k }: InkPercents): SpotInk {
  let object = 0;
  const define = (): number => {
    const known = separationOf(edit.file, inkNameBytes(name));
    if (known) return edit.add(known);
    const full = [c, m, y, k].map((percent) => percent / 100);
    const tint = pdfDict({ FunctionType: 2, Domain: [0, 1], C0: [0, 0, 0, 0], C1: full, N: 1 });
    return edit.add([pdfName('Separation'), pdfName(inkNameBytes(name)), pdfName('DeviceCMYK'), tint]);
  };
  return {
    on(page) {
      if (object === 0) object = define();
      const [resource = ''] = addResources(edit, page, [{ kind: 'ColorSpace', value: pdfRef(object), hint: 'Spot' }]);
      return resource;
    },
  };
}
