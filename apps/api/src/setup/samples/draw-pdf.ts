/**
 * Writes small PDFs: objects and a cross-reference table. Written by hand because the API, which faces the network, must
 * not load a PDF engine. It reads no PDF.
 */
export interface SampleImage {
  /** Pixels, 8 bits a component. */
  width: number;
  height: number;
  colourSpace: 'DeviceRGB' | 'DeviceCMYK';
  samples: Uint8Array;
}

export interface SamplePage {
  /** [x0, y0, x1, y1] in points. */
  mediaBox: readonly number[];
  bleedBox?: readonly number[];
  trimBox?: readonly number[];
  content: string;
}

export interface SampleDocument {
  title: string;
  pages: readonly SamplePage[];
  images?: Readonly<Record<string, SampleImage>>;
  /** Base fonts by resource name; only names, never embedded. */
  fonts?: Readonly<Record<string, string>>;
  /** Separations by resource name: name of the ink and its look in CMYK. */
  spots?: Readonly<Record<string, { ink: string; cmyk: readonly number[] }>>;
}

const box = (values: readonly number[]) => `[${values.map((value) => Number(value.toFixed(4))).join(' ')}]`;
const text = (value: string) => `(${value.replace(/[\\()]/g, '\\$&')})`;

/** The document as the bytes of a PDF 1.6 file. */
export function drawPdf(document: SampleDocument): Buffer {
  const objects: Buffer[] = [];
  const add = (body: string, stream?: Uint8Array): number => {
    const head = stream ? `${body.replace(/>>$/, '')} /Length ${stream.byteLength} >>\nstream\n` : body;
    objects.push(Buffer.concat([Buffer.from(head, 'latin1'), ...(stream ? [stream, Buffer.from('\nendstream')] : [])]));
    return objects.length;
  };
  // Numbers 1 and 2 are for the catalogue and the page tree, which refer to the later ones.
  add('');
  add('');
  const named = <T>(entries: Readonly<Record<string, T>> | undefined, make: (value: T) => string) =>
    Object.entries(entries ?? {})
      .map(([name, value]) => `/${name} ${make(value)}`)
      .join(' ');
  const image = ({ width, height, colourSpace, samples }: SampleImage) =>
    `${add(`<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /${colourSpace} /BitsPerComponent 8 >>`, samples)} 0 R`;
  const spot = ({ ink, cmyk }: { ink: string; cmyk: readonly number[] }) =>
    `[/Separation /${ink.replace(/ /g, '#20')} /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 ${box(cmyk)} /N 1 >>]`;
  const resources = add(
    `<< /XObject << ${named(document.images, image)} >> ` +
      `/Font << ${named(document.fonts, (font) => `<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`)} >> ` +
      `/ColorSpace << ${named(document.spots, spot)} >> >>`,
  );
  const pages = document.pages.map(({ content, mediaBox, bleedBox, trimBox }) => {
    const stream = add('<< >>', Buffer.from(content, 'latin1'));
    const boxes = [
      `/MediaBox ${box(mediaBox)}`,
      bleedBox ? `/BleedBox ${box(bleedBox)}` : '',
      trimBox ? `/TrimBox ${box(trimBox)}` : '',
    ].join(' ');
    return add(`<< /Type /Page /Parent 2 0 R ${boxes} /Resources ${resources} 0 R /Contents ${stream} 0 R >>`);
  });
  const info = add(`<< /Title ${text(document.title)} /Creator (pdf2press) /Producer (pdf2press samples) >>`);
  objects[0] = Buffer.from('<< /Type /Catalog /Pages 2 0 R >>');
  objects[1] = Buffer.from(
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] >>`,
  );

  const parts: Buffer[] = [Buffer.from('%PDF-1.6\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')];
  let at = parts[0]?.byteLength ?? 0;
  const offsets = objects.map((object, index) => {
    const offset = at;
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    parts.push(whole);
    at += whole.byteLength;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R /Info ${info} 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
