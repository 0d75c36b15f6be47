/** Attached files (ISO 19005-2 and -3, 6.8). */
import { inflateSync } from 'node:zlib';
import { dictOf, nameOf, type PdfDict, type PdfFile, textOf } from '@pdf2press/pdf';

export interface Attachment {
  file: string;
  /** Entries that ISO 19005 demands and that are missing. */
  missing: string[];
  /** Whether it says itself that it is PDF/A-1 or PDF/A-2. */
  isPdfA: boolean;
}

/** The attached files of file specifications, each looked at once. `associated`: the streams that an entry AF names. */
export function attachmentsOf(
  file: PdfFile,
  specifications: readonly PdfDict[],
  associated: ReadonlySet<number>,
  isThirdPart: boolean,
): Attachment[] {
  const seen = new Set<number>();
  return specifications.flatMap((specification) => {
    const data = dataOf(file, specification);
    if (!data || seen.has(data.stream)) return [];
    seen.add(data.stream);
    const missing = ['F', 'UF'].filter((key) => !textOf(file, specification, key));
    if (isThirdPart) {
      if (!nameOf(file, specification, 'AFRelationship')) missing.push('AFRelationship');
      if (!associated.has(data.stream)) missing.push('AF');
      if (!nameOf(file, data, 'Subtype')) missing.push('Subtype');
    }
    const name = textOf(file, specification, 'UF') ?? textOf(file, specification, 'F') ?? '';
    return [{ file: name, missing, isPdfA: isThirdPart || claimsPdfA(file.stream(data.stream)) }];
  });
}

/** The stream of an attached file; null for a specification that attaches nothing. */
export function dataOf(file: PdfFile, specification: PdfDict): PdfDict | null {
  const embedded = dictOf(file, specification, 'EF');
  const data = dictOf(file, embedded, 'UF') ?? dictOf(file, embedded, 'F');
  return data?.stream ? data : null;
}

const part = /pdfaid:part\s*(?:=\s*["']|>)\s*[12]\b/;
/** Metadata are short; more is not read. */
const maxMetadata = 4 << 20;

/** Whether the bytes of a PDF have metadata that claim PDF/A-1 or -2, plain or compressed. */
export function claimsPdfA(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!text.slice(0, 1024).includes('%PDF-')) return false;
  if (part.test(text)) return true;
  for (const match of text.matchAll(/\/Type\s*\/Metadata\b/g)) {
    const start = /stream\r?\n/.exec(text.slice(match.index, match.index + 1024));
    if (start && part.test(inflated(bytes.subarray(match.index + start.index + start[0].length)))) return true;
  }
  return false;
}

function inflated(bytes: Uint8Array): string {
  try {
    return inflateSync(bytes, { maxOutputLength: maxMetadata }).toString('latin1');
  } catch {
    // Metadata in another encoding claim nothing that could be read.
    return '';
  }
}
