import { closeSync, openSync, writeSync } from 'node:fs';
import { type ObjectSource, objectBytes } from './build-pdf.ts';

/** Writes a PDF object by object; see `createPdfWriter`. */
export interface PdfWriter {
  /** Reserves an object number. */
  reserve: () => number;
  /** Writes an object; returns its number. */
  add: (object: ObjectSource, num?: number) => number;
  /** Writes the cross-reference table and closes the file. `root` is the object number of the catalog. */
  end: (root: number) => void;
}

/**
 * Writes a PDF object by object, for test files that should not be held in memory. Independent of the writer of the
 * product.
 */
export function createPdfWriter(path: string): PdfWriter {
  const fd = openSync(path, 'w');
  const offsets: number[] = [];
  let position = 0;
  let next = 1;
  const write = (bytes: Uint8Array): void => {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    position += bytes.length;
  };
  const reserve = (): number => {
    next += 1;
    return next - 1;
  };
  write(Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'));
  return {
    reserve,
    add(object, num = reserve()) {
      offsets[num] = position;
      write(objectBytes(num, object));
      return num;
    },
    end(root) {
      const start = position;
      const lines = ['0000000000 65535 f \n'];
      for (let num = 1; num < next; num += 1) {
        const offset = offsets[num];
        lines.push(offset === undefined ? '0000000000 00000 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`);
      }
      write(
        Buffer.from(
          `xref\n0 ${next}\n${lines.join('')}trailer\n<< /Size ${next} /Root ${root} 0 R >>\nstartxref\n${start}\n%%EOF\n`,
        ),
      );
      closeSync(fd);
    },
  };
}

/** Writes a page tree with these pages. */
export function writePages(writer: PdfWriter, pages: readonly number[], tree: number, extra = ''): void {
  const kids = pages.map((page) => `${page} 0 R`).join(' ');
  writer.add(`<< /Type /Pages /Count ${pages.length} /Kids [${kids}] ${extra} >>`, tree);
  writer.end(writer.add(`<< /Type /Catalog /Pages ${tree} 0 R >>`));
}
