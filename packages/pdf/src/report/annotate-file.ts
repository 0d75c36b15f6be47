import { createEditor } from '../edit/editor.ts';
import { pdfDict, pdfRef, pdfTextString } from '../edit/make-values.ts';
import type { Rect } from '../interpret/types.ts';
import type { PageFacts } from '../open/page-facts.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { type PdfValue, pdfName } from '../open/values.ts';
import { rewritePdf } from '../write/rewrite-file.ts';
import { numberText } from '../write/value-text.ts';
import type { Rgb } from './report-writer.ts';

/**
 * A note on a page: a frame around `box` (default user space, points), or a sticky note when `box` is null or a point. A
 * `mark` is another kind of annotation: an arrow or a line along `path` (x and y in turn), text in the box that is struck
 * out, or a caret at the box.
 */
export interface PageNote {
  page: number;
  box: Rect | null;
  mark?: 'arrow' | 'pen' | 'strike' | 'insert';
  path?: readonly number[];
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
  const made = new Map<number, PdfValue[]>();
  for (const note of notes) {
    const facts = file.pages[note.page - 1];
    if (!facts?.object) continue;
    const nth = placed.get(note.page) ?? 0;
    if (!note.box) placed.set(note.page, nth + 1);
    const drawn = drawnNote(note, note.box ?? notePlace(facts, nth));
    const form = pdfDict({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: drawn.rect });
    const appearance = edit.addStream(Buffer.from(drawn.content, 'latin1'), form);
    const annotation = pdfDict({
      Type: pdfName('Annot'),
      Subtype: pdfName(drawn.subtype),
      Rect: drawn.rect,
      C: [...note.colour],
      // NoZoom for sticky notes; the Print flag is not set (ISO 32000-1, 12.5.3).
      F: drawn.subtype === 'Text' ? 8 : 0,
      T: pdfTextString(note.title),
      Contents: pdfTextString(note.text),
      AP: pdfDict({ N: pdfRef(appearance) }),
      ...drawn.entries,
    });
    const onPage = made.get(note.page) ?? [];
    onPage.push(pdfRef(edit.add(annotation)));
    made.set(note.page, onPage);
  }
  for (const [page, annotations] of made) {
    const facts = file.pageNow(page);
    edit.putPage(facts, 'Annots', [...facts.annotations, ...annotations]);
  }
  return rewritePdf(file, path);
}

interface DrawnNote {
  subtype: 'Text' | 'Square' | 'Line' | 'Ink' | 'StrikeOut' | 'Caret';
  rect: number[];
  /** What this kind of annotation has besides. */
  entries: Readonly<Record<string, PdfValue>>;
  /** Of its appearance, in the page's space. */
  content: string;
}

const line = (points: readonly number[]): string =>
  points
    .map((_, at) =>
      at % 2 === 0 ? `${numberText(points[at] ?? 0)} ${numberText(points[at + 1] ?? 0)} ${at === 0 ? 'm' : 'l'}` : '',
    )
    .filter(Boolean)
    .join(' ');

/** Length of an arrow's head and half of its width, points. */
const [headLength, headWidth] = [9, 4];

/** The three corners of an arrow's head at the second of two points. */
function arrowHead([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[]): number[] {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [along, up] = [(x1 - x0) / length, (y1 - y0) / length];
  const [backX, backY] = [x1 - along * headLength, y1 - up * headLength];
  return [backX - up * headWidth, backY + along * headWidth, x1, y1, backX + up * headWidth, backY - along * headWidth];
}

/** The kind of annotation of a note at its place, and how it looks (ISO 32000-1, 12.5.6). */
function drawnNote(note: PageNote, [x0, y0, x1, y1]: Rect): DrawnNote {
  const { mark, path = [], colour } = note;
  const paint = colour.map(numberText).join(' ');
  const pen = `${paint} RG 1.5 w 1 J 1 j`;
  const around = (room: number) => [x0 - room, y0 - room, Math.max(x1, x0 + 1) + room, Math.max(y1, y0 + 1) + room];
  if (mark === 'arrow')
    return {
      subtype: 'Line',
      rect: around(headLength),
      entries: { L: [...path], LE: [pdfName('None'), pdfName('OpenArrow')] },
      content: `${pen} ${line(path)} S ${line(arrowHead(path))} S`,
    };
  if (mark === 'pen')
    return { subtype: 'Ink', rect: around(2), entries: { InkList: [[...path]] }, content: `${pen} ${line(path)} S` };
  if (mark === 'strike') {
    const middle = (y0 + y1) / 2;
    return {
      subtype: 'StrikeOut',
      rect: around(1),
      entries: { QuadPoints: [x0, y1, x1, y1, x0, y0, x1, y0] },
      content: `${pen} ${line([x0, middle, x1, middle])} S`,
    };
  }
  if (mark === 'insert')
    return {
      subtype: 'Caret',
      rect: [x0 - 5, y0 - 10, x0 + 5, y0 + 1],
      entries: {},
      content: `${pen} ${line([x0 - 4, y0 - 9, x0, y0, x0 + 4, y0 - 9])} S`,
    };
  const isSticky = !note.box || (x0 === x1 && y0 === y1);
  // A frame lies just outside of what it marks and has a minimum size; a sticky note hangs from its point.
  const sticky = note.box ? [x0, y0 - noteSize, x0 + noteSize, y0] : [x0, y0, x1, y1];
  const rect = isSticky ? sticky : around(1.5);
  const [left = 0, bottom = 0, right = 0, top = 0] = rect;
  const frame = [left + 0.5, bottom + 0.5, right - left - 1, top - bottom - 1].map(numberText).join(' ');
  return {
    subtype: isSticky ? 'Text' : 'Square',
    rect,
    entries: {},
    content: isSticky ? `${paint} rg 0 0 0 RG 0.5 w ${frame} re B` : `${paint} RG 1 w ${frame} re S`,
  };
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
