import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

type PdfObject = string | { dict: string; stream: Uint8Array };

/** A PDF of these objects with a correct cross-reference table; the first object is the catalogue. */
function pdfOf(objects: readonly PdfObject[], trailer = ''): Buffer {
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
  const root = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${size()}\n%%EOF\n`;
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

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const padded = (password: string) => Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32);
const md5 = (...parts: Uint8Array[]) => createHash('md5').update(Buffer.concat(parts)).digest();

/** RC4 as PDF 1.3 uses it; OpenSSL 3 no longer offers it. */
function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => state[index] ?? 0;
  const swap = (a: number, b: number) => {
    const kept = at(a);
    state[a] = at(b);
    state[b] = kept;
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255;
      j = (j + at(i)) & 255;
      swap(i, j);
      return byte ^ at((at(i) + at(j)) & 255);
    }),
  );
}

/** The same page under the standard security handler, revision 2 (ISO 32000-1 §7.6.3.3); no user password opens for all. */
export function encryptedPdf(userPassword: string): Buffer {
  const id = Buffer.alloc(16, 7);
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(-4);
  const owner = rc4(md5(padded('owner')).subarray(0, 5), padded(userPassword));
  const key = md5(padded(userPassword), owner, permissions, id).subarray(0, 5);
  const user = rc4(key, padding);
  const objectKey = md5(key, Uint8Array.from([4, 0, 0, 0, 0])).subarray(0, 10);
  const encrypt = `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> >>`;
  const idText = `<${id.toString('hex')}>`;
  return pdfOf(
    [...onePage({ dict: '', stream: rc4(objectKey, rectangle) }), encrypt],
    `/Encrypt 5 0 R /ID [${idText} ${idText}]`,
  );
}
