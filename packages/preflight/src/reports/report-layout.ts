/** Places lines and pictures on the pages of a report, from top to bottom. */
import type { ReportPage, ReportWriter, Rgb } from '@pdf2press/pdf';

/** A4 with a margin of 15 mm, in points. */
const paper = { width: 595, height: 842, margin: 42 };
export const contentWidth = paper.width - 2 * paper.margin;

export const ink: Rgb = [0.13, 0.15, 0.18];
export const grey: Rgb = [0.45, 0.48, 0.52];

export interface Flow {
  /** Writes a paragraph, broken into lines; lengths in points, `indent` from the left margin. */
  paragraph: (
    text: string,
    options?: { size?: number; colour?: Rgb; isBold?: boolean; indent?: number; after?: number },
  ) => void;
  /** Reserves a height, on a new page if needed; returns the upper left corner. */
  reserve: (height: number) => { page: ReportPage; x: number; y: number };
  gap: (height: number) => void;
  /** Starts a new page if less than this height is left. */
  keep: (height: number) => void;
  /** Height of the lines of a paragraph. */
  heightOf: (text: string, options: { size: number; indent: number }) => number;
}

/** Starts the first page of a report. */
export function createFlow(writer: ReportWriter): Flow {
  let page = writer.page(paper.width, paper.height);
  let y = paper.height - paper.margin;
  const room = (height: number) => {
    if (y - height >= paper.margin) return;
    page = writer.page(paper.width, paper.height);
    y = paper.height - paper.margin;
  };
  return {
    paragraph(text, { size = 9, colour = ink, isBold = false, indent = 0, after = 2 } = {}) {
      for (const line of brokenLines(writer, text, { size, isBold, width: contentWidth - indent })) {
        room(size * 1.35);
        y -= size * 1.35;
        page.text({ x: paper.margin + indent, y: y + size * 0.3, size, text: line, colour, isBold });
      }
      y -= after;
    },
    reserve(height) {
      room(height);
      const corner = { page, x: paper.margin, y };
      y -= height;
      return corner;
    },
    gap(height) {
      y -= height;
    },
    keep: room,
    heightOf: (text, { size, indent }) =>
      brokenLines(writer, text, { size, isBold: false, width: contentWidth - indent }).length * size * 1.35,
  };
}

/** Breaks a text into lines: at spaces, between Chinese characters, and inside words wider than the line. */
export function brokenLines(
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
