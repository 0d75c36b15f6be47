import { createEditor } from '../edit/editor.ts';
import { pdfDict, pdfRef, pdfTextString } from '../edit/make-values.ts';
import type { Rect } from '../interpret/types.ts';
import type { PageFacts } from '../open/page-facts.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { pdfName } from '../open/values.ts';
import { rewritePdf } from '../write/rewrite-file.ts';
import { numberText } from '../write/value-text.ts';
import type { Rgb } from './report-writer.ts';

/** A note on a page: a frame around `box` (default user space, points), or a sticky note when `box` is null. */
export interface PageNote {
  page: number;
  box: Rect | null;
  colour: Rgb;
  title: string;
  text: string;
}

/** Side of a sticky note in points. */
const noteSize = 18;

/**
 * Writes a copy of a file with notes as annotations that are visible on screen and not printed. The open file is
 * changed; close it afterwards.
 * @returns the size of the copy
 * @throws FileFaultError PDF_LIMIT_OUTPUT
 */
export function annotateFile(file: PdfFile, path: string, notes: readonly PageNote[]): number {
  const edit = createEditor(file);
  const placed = new Map<number, number>();
  for (const note of notes) {
    const facts = file.pages[note.page - 1];
    if (!facts?.object) continue;
    const nth = placed.get(note.page) ?? 0;
    if (!note.box) placed.set(note.page, nth + 1);
    const [a, b, c, d] = note.box ?? notePlace(facts, nth);
    // A frame lies just outside of what it marks and has a minimum size.
    const rect = note.box ? [a - 1.5, b - 1.5, Math.max(c, a + 1) + 1.5, Math.max(d, b + 1) + 1.5] : [a, b, c, d];
    const form = pdfDict({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: rect });
    const appearance = edit.addStream(Buffer.from(content(rect, note), 'latin1'), form);
    const annotation = pdfDict({
      Type: pdfName('Annot'),
      Subtype: pdfName(note.box ? 'Square' : 'Text'),
      Rect: rect,
      C: [...note.colour],
      // NoZoom for sticky notes; the Print flag is not set (ISO 32000-1, 12.5.3).
      F: note.box ? 0 : 8,
      T: pdfTextString(note.title),
      Contents: pdfTextString(note.text),
      AP: pdfDict({ N: pdfRef(appearance) }),
    });
    edit.putPage(facts, 'Annots', [...file.pageNow(note.page).annotations, pdfRef(edit.add(annotation))]);
  }
  return rewritePdf(file, path);
}

function content(rect: readonly number[], { box, colour }: PageNote): string {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = rect;
  const paint = colour.map(numberText).join(' ');
  const frame = [x0 + 0.5, y0 + 0.5, x1 - x0 - 1, y1 - y0 - 1].map(numberText).join(' ');
  return box ? `${paint} RG 1 w ${frame} re S` : `${paint} rg 0 0 0 RG 0.5 w ${frame} re B`;
}

/** Places notes from the upper left of the page as shown downwards, then in further columns. */
function notePlace({ effective, rotate }: PageFacts, nth: number): Rect {
  const [x0, y0, x1, y1] = effective.crop;
  const step = noteSize + 4;
  const seenHeight = rotate % 180 === 0 ? y1 - y0 : x1 - x0;
  const perColumn = Math.max(1, Math.floor(seenHeight / step));
  const across = Math.floor(nth / perColumn) * step + 4;
  const down = (nth % perColumn) * step + 4;
  const [x, y] = {
    0: [x0 + across, y1 - down - noteSize],
    90: [x0 + down, y0 + across],
    180: [x1 - across - noteSize, y0 + down],
    270: [x1 - down - noteSize, y1 - across - noteSize],
  }[rotate] as [number, number];
  return [x, y, x + noteSize, y + noteSize];
}
