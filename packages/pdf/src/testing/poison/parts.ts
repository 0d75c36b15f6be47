/** Parts that the malicious files are built from. */
import { constants, deflateRawSync } from 'node:zlib';
import { buildPdf, type ObjectSource, type PdfSource } from '../build-pdf.ts';

export const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** A zlib stream that decodes to `mebibytes` MiB of zeros; it has about one kilobyte per mebibyte. */
export function zeroBomb(mebibytes: number): Uint8Array {
  const block = deflateRawSync(Buffer.alloc(2 ** 20), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const last = deflateRawSync(Buffer.alloc(0));
  return Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...new Array<Uint8Array>(mebibytes).fill(block),
    last,
    Buffer.alloc(4),
  ]);
}

export const one = (
  page: NonNullable<PdfSource['pages']>[number],
  objects: PdfSource['objects'] = {},
  more: Partial<PdfSource> = {},
): Uint8Array => buildPdf({ pages: [page], objects, ...more });
export const form = (data: string, resources = '', extra = ''): ObjectSource => ({
  dict: `/Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << ${resources} >> ${extra}`,
  data,
});
export const range = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
export const good = one({
  content: 'BT /F1 12 Tf 20 20 Td (good) Tj ET 0 0 9 9 re f',
  resources: '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>',
});
