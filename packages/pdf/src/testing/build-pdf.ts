/** An object as source text, or a stream. Text is Latin-1: one character per byte. */
export type ObjectSource =
  | string
  | {
      /** Entries without << >>; /Length is added unless given. */
      dict: string;
      data: string | Uint8Array;
    };

export interface PageSource {
  /** Page content; an array makes several streams. */
  content?: string | Uint8Array | readonly string[];
  mediaBox?: readonly number[];
  /** Entries of the resource dictionary without << >>. */
  resources?: string;
  /** Additional entries of the page dictionary. */
  extra?: string;
}

export interface PdfSource {
  pages?: readonly PageSource[];
  /** Further objects by number. Use 100 and up, or 5 and up with few pages: pages get the highest numbers. */
  objects?: Readonly<Record<number, ObjectSource>>;
  /** Additional entries of the catalog. */
  catalog?: string;
  /** Additional entries of the page tree root, which pages inherit. */
  pageTree?: string;
  /** Additional entries of the trailer. */
  trailer?: string;
  version?: string;
}

const latin1Bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/**
 * Builds a PDF with a correct cross-reference table. Object 1 is the catalog, 2 the page tree; pages and their contents
 * are numbered after the highest number in `objects`.
 */
export function buildPdf(source: PdfSource): Uint8Array {
  const objects = new Map<number, ObjectSource>();
  for (const [num, object] of Object.entries(source.objects ?? {})) objects.set(Number(num), object);
  let next = Math.max(2, ...objects.keys()) + 1;
  const add = (object: ObjectSource): number => {
    objects.set(next, object);
    next += 1;
    return next - 1;
  };
  const kids = (source.pages ?? [{}]).map((page) => {
    const contents = contentsOf(page).map((data) => `${add({ dict: '', data })} 0 R`);
    const box = (page.mediaBox ?? [0, 0, 200, 200]).join(' ');
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Resources << ${page.resources ?? ''} >>` +
        ` /Contents [${contents.join(' ')}] ${page.extra ?? ''} >>`,
    );
  });
  if (!objects.has(1)) objects.set(1, `<< /Type /Catalog /Pages 2 0 R ${source.catalog ?? ''} >>`);
  if (!objects.has(2)) {
    const references = kids.map((kid) => `${kid} 0 R`).join(' ');
    objects.set(2, `<< /Type /Pages /Count ${kids.length} /Kids [${references}] ${source.pageTree ?? ''} >>`);
  }
  return assemble(objects, source);
}

function contentsOf(page: PageSource): readonly (string | Uint8Array)[] {
  if (page.content === undefined) return [''];
  return typeof page.content === 'string' || page.content instanceof Uint8Array ? [page.content] : page.content;
}

/** The bytes of one indirect object. */
export function objectBytes(num: number, object: ObjectSource): Uint8Array {
  if (typeof object === 'string') return latin1Bytes(`${num} 0 obj\n${object}\nendobj\n`);
  const data = typeof object.data === 'string' ? latin1Bytes(object.data) : object.data;
  const length = /\/Length\b/.test(object.dict) ? '' : ` /Length ${data.length}`;
  return Buffer.concat([
    latin1Bytes(`${num} 0 obj\n<< ${object.dict}${length} >>\nstream\n`),
    data,
    latin1Bytes('\nendstream\nendobj\n'),
  ]);
}

function assemble(objects: ReadonlyMap<number, ObjectSource>, source: PdfSource): Uint8Array {
  const parts: Uint8Array[] = [latin1Bytes(`%PDF-${source.version ?? '1.7'}\n%\xe2\xe3\xcf\xd3\n`)];
  let offset = parts[0]?.length ?? 0;
  const numbers = [...objects.keys()].sort((a, b) => a - b);
  const size = (numbers.at(-1) ?? 0) + 1;
  const entries: string[] = new Array(size).fill('0000000000 65535 f \n');
  for (const num of numbers) {
    const bytes = objectBytes(num, objects.get(num) ?? 'null');
    entries[num] = `${String(offset).padStart(10, '0')} 00000 n \n`;
    parts.push(bytes);
    offset += bytes.length;
  }
  parts.push(
    latin1Bytes(
      `xref\n0 ${size}\n${entries.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${source.trailer ?? ''} >>\n` +
        `startxref\n${offset}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
