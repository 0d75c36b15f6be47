/** Pictures of text for the rule cases: lines that MuPDF draws, as a scanner or an image editor would leave them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openPdf, renderPreview } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { withResource } from './content.ts';
import type { Doc } from './doc.ts';

/** Gray pixels of so many lines of text on a page of 360 × 460 pt. */
export function pictureOfText(
  lines: readonly string[],
  ppi: number,
  size = 12,
): { width: number; height: number; data: Uint8Array } {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'text-'));
  const one = path.join(directory, 'one.pdf');
  const shown = lines.map((line) => `(${line}) Tj T*`).join(' ');
  writeFileSync(
    one,
    buildPdf({
      pages: [
        {
          content: `BT /F1 ${size} Tf ${size * 1.4} TL 30 420 Td ${shown} ET`,
          mediaBox: [0, 0, 360, 460],
          resources: '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >> >>',
        },
      ],
    }),
  );
  const file = openPdf({ path: one });
  try {
    const { width, height, channels, pixels } = renderPreview(file, 1, { dpi: ppi });
    return { width, height, data: Uint8Array.from({ length: width * height }, (_, at) => pixels[at * channels] ?? 0) };
  } finally {
    file.close();
    rmSync(directory, { recursive: true });
  }
}

/** A page with a gray picture in a box of `[x, y, width, height]` points, and other content. */
export const withPicture = (
  picture: { width: number; height: number; data: Uint8Array },
  [x, y, width, height]: readonly [number, number, number, number],
  content = '',
): Doc => ({
  content: `q ${width} 0 0 ${height} ${x} ${y} cm /Pic Do Q ${content}`,
  resources: withResource('XObject', '/Pic 480 0 R'),
  objects: {
    480: {
      dict: `/Type /XObject /Subtype /Image /Width ${picture.width} /Height ${picture.height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
      data: picture.data,
    },
  },
});
