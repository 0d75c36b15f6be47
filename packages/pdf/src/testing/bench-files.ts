/** Files for benchmarks, equal at every run. */
import { deflateSync } from 'node:zlib';
import { seeded } from '@pdf2press/config/seeded';
import sharp from 'sharp';
import { createPdfWriter, writePages } from './pdf-writer.ts';

const words =
  'bleed trim gutter plate proof sheet press folio quire ream spine crop fold ink paper colour spot screen'.split(' ');

/** Dense text: about 6,100 glyphs per page in two fonts, kerned lines, some of them coloured. */
export function writeTextPdf(path: string, pageCount: number): void {
  const random = seeded(1);
  const writer = createPdfWriter(path);
  const tree = writer.reserve();
  const fonts = ['Times-Roman', 'Helvetica-Bold'].map((name) => {
    const widths = Array.from({ length: 224 }, (_, i) => 250 + ((i * 37) % 500)).join(' ');
    return writer.add(
      `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 255 /Widths [${widths}] >>`,
    );
  });
  const resources = `/Resources << /Font << /F1 ${fonts[0]} 0 R /F2 ${fonts[1]} 0 R >> >>`;
  const pages: number[] = [];
  for (let page = 0; page < pageCount; page += 1) {
    const lines: string[] = ['BT 0 0 0 1 k'];
    for (let line = 0; line < 68; line += 1) {
      lines.push(`/F${line % 10 === 0 ? 2 : 1} 8 Tf 1 0 0 1 40 ${800 - line * 11.2} Tm`);
      if (line % 17 === 0) lines.push('0.1 0.2 0.3 0.4 k');
      const parts: string[] = [];
      let length = 0;
      while (length < 88) {
        const word = words[Math.floor(random() * words.length)] ?? '';
        parts.push(`(${word} )${-Math.floor(random() * 60)}`);
        length += word.length + 1;
      }
      lines.push(`[${parts.join('')}] TJ`);
    }
    lines.push('ET');
    const contents = writer.add({ dict: '/Filter /FlateDecode', data: deflateSync(lines.join('\n')) });
    pages.push(
      writer.add(`<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 595.276 841.89] /Contents ${contents} 0 R >>`),
    );
  }
  writePages(writer, pages, tree, resources);
}

/** Adds a page of A4 with bleed that a picture fills. @returns its object number */
function addFilledPage(writer: ReturnType<typeof createPdfWriter>, tree: number, image: number): number {
  const contents = writer.add({ dict: '', data: 'q 612.283 0 0 858.898 0 0 cm /Im0 Do Q' });
  return writer.add(
    `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 612.283 858.898] /TrimBox [8.504 8.504 603.78 850.394]` +
      ` /Resources << /XObject << /Im0 ${image} 0 R >> >> /Contents ${contents} 0 R >>`,
  );
}

/**
 * Pages with one large image each. The image data is noise after a JPEG header: as large and incompressible as a
 * photograph for code that reads and copies files, but not decodable.
 */
export function writeImagePdf(path: string, pageCount: number, bytesPerImage: number): void {
  const writer = createPdfWriter(path);
  const tree = writer.reserve();
  const noise = Buffer.alloc(bytesPerImage);
  const random = seeded(2);
  for (let i = 0; i + 4 <= noise.length; i += 4) noise.writeUInt32LE(Math.floor(random() * 4294967296), i);
  const pages: number[] = [];
  for (let page = 0; page < pageCount; page += 1) {
    noise.writeUInt32LE(page, 64);
    const image = writer.add({
      dict: '/Type /XObject /Subtype /Image /Width 3508 /Height 4961 /ColorSpace /DeviceCMYK /BitsPerComponent 8 /Filter /DCTDecode',
      data: noise,
    });
    pages.push(addFilledPage(writer, tree, image));
  }
  writePages(writer, pages, tree);
}

/** Pages with a photograph of 150 ppi that goes into the bleed, each in a JPEG of its own of about 1.2 MB. */
export async function writePhotoPdf(path: string, pageCount: number): Promise<void> {
  const [width, height] = [1276, 1789];
  const random = seeded(3);
  const pixels = new Uint8Array(width * height * 4);
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = 100 + 80 * Math.sin(i / 3000 + (i % 4)) + random() * 20;
  const photo = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .toColourspace('cmyk')
    .jpeg({ quality: 90 })
    .toBuffer();
  const writer = createPdfWriter(path);
  const tree = writer.reserve();
  const pages: number[] = [];
  for (let page = 0; page < pageCount; page += 1) {
    const comment = Buffer.from(`page ${page}`);
    const marker = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
    const image = writer.add({
      dict: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceCMYK /BitsPerComponent 8 /Filter /DCTDecode`,
      data: Buffer.concat([photo.subarray(0, 2), marker, comment, photo.subarray(2)]),
    });
    pages.push(addFilledPage(writer, tree, image));
  }
  writePages(writer, pages, tree);
}
