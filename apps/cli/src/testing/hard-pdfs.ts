import { deflateSync } from 'node:zlib';

type PdfObject = string | { dict: string; stream: Uint8Array };

/** A PDF of these objects with a correct cross-reference table; the first object is the catalogue. */
function pdfOf(objects: readonly PdfObject[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  const size = () => parts.reduce((sum, part) => sum + part.length, 0);
  for (const [index, object] of objects.entries()) {
    offsets.push(size());
    const [begin, end] = [Buffer.from(`${index + 1} 0 obj\n`), Buffer.from('\nendobj\n')];
    const body =
      typeof object === 'string'
        ? Buffer.from(object)
        : Buffer.concat([
            Buffer.from(`<< ${object.dict} /Length ${object.stream.length} >>\nstream\n`),
            object.stream,
            Buffer.from('\nendstream'),
          ]);
    parts.push(Buffer.concat([begin, body, end]));
  }
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines}`;
  const root = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${size()}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + root)]);
}

const onePage = (content: PdfObject): PdfObject[] => [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R >>',
  content,
];

const rectangle = Buffer.from('0 0 1 rg 10 10 100 100 re f');

/** One page with a blue rectangle; another `note` gives other bytes. */
export const soundPdf = (note = ''): Buffer =>
  pdfOf([...onePage({ dict: '', stream: rectangle }), `(${note.replace(/[^\w -]/g, '')})`]);

/** A stream of one mebibyte that decompresses to a gibibyte. */
export const bombPdf = (): Buffer =>
  pdfOf(onePage({ dict: '/Filter /FlateDecode', stream: deflateSync(Buffer.alloc(1024 ** 3, 32), { level: 9 }) }));

/** Four thousand pages that draw a form sixteen thousand times each: reading them takes minutes. */
export const slowPdf = (): Buffer => {
  const count = 4000;
  const pages = Array.from({ length: count }, (_, index) => `${index + 5} 0 R`);
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.join(' ')}] /Count ${count} /MediaBox [0 0 300 200] /Resources << /XObject << /F 3 0 R >> >> >>`,
    { dict: '/Type /XObject /Subtype /Form /BBox [0 0 9 9]', stream: Buffer.from('q Q') },
    { dict: '/Filter /FlateDecode', stream: deflateSync(Buffer.from('/F Do\n'.repeat(16_000))) },
    ...pages.map(() => '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>'),
  ]);
};
