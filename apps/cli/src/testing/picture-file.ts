import { randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

export interface PictureFile {
  pages: number;
  /** Samples of each page's picture, of three bytes each. */
  columns: number;
  rows: number;
}

/** A PDF whose pages each have a picture of their own; written as it is made. */
export async function writePictures(file: string, { pages, columns, rows }: PictureFile): Promise<void> {
  const handle = await open(file, 'w');
  const offsets: number[] = [];
  let size = 0;
  const write = async (to: FileHandle, part: string | Uint8Array) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    await to.write(bytes);
    size += bytes.length;
  };
  const object = async (head: string, stream?: Uint8Array) => {
    offsets.push(size);
    await write(handle, `${offsets.length} 0 obj\n${head}\n`);
    if (stream) for (const part of ['stream\n', stream, '\nendstream\n']) await write(handle, part);
    await write(handle, 'endobj\n');
  };
  await write(handle, '%PDF-1.4\n');
  const kids = Array.from({ length: pages }, (_, page) => `${3 + page * 3} 0 R`).join(' ');
  await object('<< /Type /Catalog /Pages 2 0 R >>');
  await object(`<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`);
  const content = Buffer.from('q 178 0 0 178 10 10 cm /I Do Q');
  for (let page = 0; page < pages; page += 1) {
    const at = 3 + page * 3;
    await object(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 198 198] /Contents ${at + 1} 0 R /Resources << /XObject << /I ${at + 2} 0 R >> >> >>`,
    );
    await object(`<< /Length ${content.length} >>`, content);
    const picture = randomBytes(columns * rows * 3);
    await object(
      `<< /Type /XObject /Subtype /Image /Width ${columns} /Height ${rows} /BitsPerComponent 8 /ColorSpace /DeviceRGB /Length ${picture.length} >>`,
      picture,
    );
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  await write(
    handle,
    `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${size}\n%%EOF\n`,
  );
  await handle.close();
}
