import { createHash } from 'node:crypto';

/** Bytes of the filler of a file: enough that a connection can break off in the middle, different for each. */
const sizes = [20_000, 60_000, 140_000];

/**
 * A PDF of one page that follows from its name, so that whoever has the name knows each byte of it. Its filler is a stream that
 * nothing refers to.
 */
export function contentOf(name: string): Buffer {
  const size = sizes[(createHash('md5').update(name).digest()[0] ?? 0) % sizes.length] ?? 0;
  const filler = createHash('shake256', { outputLength: size }).update(name).digest();
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Resources << >> >>',
  ].map((text, at) => Buffer.from(`${at + 1} 0 obj\n${text}\nendobj\n`));
  const stream = [
    Buffer.from(`4 0 obj\n<< /Length ${size} >>\nstream\n`),
    filler,
    Buffer.from('\nendstream\nendobj\n'),
  ];
  const pieces = [Buffer.from('%PDF-1.4\n'), ...objects, Buffer.concat(stream)];
  let offset = 0;
  const rows = pieces.map((piece) => {
    const row = `${String(offset).padStart(10, '0')} 00000 n \n`;
    offset += piece.length;
    return row;
  });
  const table = ['0000000000 65535 f \n', ...rows.slice(1)].join('');
  const trailer = `xref\n0 5\n${table}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${offset}\n%%EOF\n`;
  return Buffer.concat([...pieces, Buffer.from(trailer)]);
}
