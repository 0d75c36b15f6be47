/** Places lines, blocks and pictures on the pages of a report, from top to bottom. */
import type { ReportPage, ReportWriter, Rgb } from '@pdf2press/pdf';

/** A4, in points: 15 mm at the sides, room for the head line above and the foot line below. */
export const paper = {
  width: 595,
  height: 842,
  margin: 42,
  top: 46,
  bottom: 56,
};
export const contentWidth = paper.width - 2 * paper.margin;

export const ink: Rgb = [0.11, 0.13, 0.17];
export const grey: Rgb = [0.4, 0.43, 0.48];
export const hairline: Rgb = [0.83, 0.85, 0.88];

/** How a line of text looks; lengths in points. */
export interface LineLook {
  size?: number;
  colour?: Rgb;
  isBold?: boolean;
}

/** A text broken to a width, with the height that it takes. */
export interface Block {
  lines: readonly string[];
  look: Required<LineLook>;
  /** Free space below, points. */
  after: number;
  height: number;
}

export interface Flow {
  readonly writer: ReportWriter;
  /** Writes a paragraph, broken into lines; `indent` from the left margin. */
  paragraph: (text: string, options?: LineLook & { indent?: number; after?: number }) => void;
  /** Reserves a height, on a new page if needed; returns the upper left corner. */
  reserve: (height: number) => { page: ReportPage; x: number; y: number };
  gap: (height: number) => void;
  /** Starts a new page if less than this height is left. */
  keep: (height: number) => void;
  /** Points left on this page. */
  left: () => number;
  newPage: () => void;
  /** Every page so far, to write what needs their number. */
  pages: readonly ReportPage[];
}

const leading = 1.35;
export const usableHeight = paper.height - paper.top - paper.bottom;

/** Starts the first page of a report. */
export function createFlow(writer: ReportWriter): Flow {
  const pages: ReportPage[] = [];
  let y = 0;
  const newPage = () => {
    pages.push(writer.page(paper.width, paper.height));
    y = paper.height - paper.top;
  };
  newPage();
  const present = () => pages.at(-1) as ReportPage;
  const room = (height: number) => {
    if (y - height < paper.bottom && y < paper.height - paper.top) newPage();
  };
  return {
    writer,
    pages,
    newPage,
    left: () => y - paper.bottom,
    paragraph(text, { indent = 0, after = 2, ...look } = {}) {
      const { lines, look: drawn } = blockOf(writer, text, {
        ...look,
        width: contentWidth - indent,
      });
      for (const line of lines) {
        room(drawn.size * leading);
        writeLine(present(), line, drawn, paper.margin + indent, y);
        y -= drawn.size * leading;
      }
      y -= after;
    },
    reserve(height) {
      room(height);
      const corner = { page: present(), x: paper.margin, y };
      y -= height;
      return corner;
    },
    gap(height) {
      y -= height;
    },
    keep: room,
  };
}

const writeLine = (
  page: ReportPage,
  text: string,
  { size, colour, isBold }: Required<LineLook>,
  x: number,
  y: number,
) => page.text({ x, y: y - size * (leading - 0.3), size, text, colour, isBold });

/** Breaks a text to a width. */
export function blockOf(
  writer: ReportWriter,
  text: string,
  { width, after = 0, size = 9, colour = ink, isBold = false }: LineLook & { width: number; after?: number },
): Block {
  const lines = brokenLines(writer, text, { size, isBold, width });
  return {
    lines,
    look: { size, colour, isBold },
    after,
    height: lines.length * size * leading + after,
  };
}

/** Writes blocks below each other; returns where the next one would begin. */
export function writeBlocks(page: ReportPage, blocks: readonly Block[], x: number, top: number): number {
  let y = top;
  for (const { lines, look, after } of blocks) {
    for (const line of lines) {
      writeLine(page, line, look, x, y);
      y -= look.size * leading;
    }
    y -= after;
  }
  return y;
}

/** A text that is cut with an ellipsis where it is wider than `width`. */
export function cut(writer: ReportWriter, text: string, size: number, width: number): string {
  if (writer.width(text, size) <= width) return text;
  let end = text.length;
  while (end > 1 && writer.width(`${text.slice(0, end)}…`, size) > width) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** Breaks a text into lines: at spaces, between Chinese characters, and inside words wider than the line. */
function brokenLines(
  writer: ReportWriter,
  text: string,
  { size, isBold, width }: { size: number; isBold: boolean; width: number },
): string[] {
  const pieces = text.match(/[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+|\s+/g) ?? [];
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces) {
    if (writer.width(line + piece, size, isBold) <= width) {
      line += piece;
      continue;
    }
    if (line.trim()) lines.push(line.trimEnd());
    line = piece.trimStart();
    while (writer.width(line, size, isBold) > width) {
      let fits = line.length - 1;
      while (fits > 1 && writer.width(line.slice(0, fits), size, isBold) > width) fits -= 1;
      lines.push(line.slice(0, fits));
      line = line.slice(fits);
    }
  }
  if (line.trim()) lines.push(line);
  return lines;
}
