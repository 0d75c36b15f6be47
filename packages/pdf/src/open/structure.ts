/**
 * Checks header, end of file and cross-reference chain without MuPDF (ISO 32000-1, 7.5). MuPDF repairs damage silently;
 * this check tells whether there was any, and limits the length of the chain before MuPDF follows it.
 */
import { FileFaultError } from '@pdf2press/contract/faults';
import type { DiskFile } from './disk-file.ts';
import { createLexer, nextToken, packKeyword, tokens, tokenText } from './lexer.ts';
import { readDict } from './parse-object.ts';
import type { PdfDict } from './values.ts';

/** Codes of the problems that `readStructure` reports. */
export type StructureProblem =
  | 'header.missing'
  | 'header.leadingBytes'
  | 'header.version'
  | 'end.missing'
  | 'startxref.missing'
  | 'xref.offset'
  | 'xref.entries'
  | 'xref.loop'
  | 'trailer.unreadable';

export interface Structure {
  /** Offset of %PDF-; -1 when there is none in the first 1024 bytes. */
  readonly headerOffset: number;
  /** As written in the header, for example '1.7'. */
  readonly headerVersion: string | null;
  readonly xrefSections: number;
  readonly isHybrid: boolean;
  readonly isLinearized: boolean;
  readonly problems: readonly StructureProblem[];
}

const headerWindow = 1024;
/**
 * %%EOF and startxref are searched in this many last bytes. Acrobat accepts 1024; real files have more after the end.
 */
const tailWindow = 4096;

const text = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** @throws FileFaultError PDF_LIMIT_XREF */
export function readStructure(file: DiskFile, maxSections: number): Structure {
  const problems: StructureProblem[] = [];
  const head = text(file.read(0, headerWindow + 16));
  const header = /%PDF-(\d\.\d)?/.exec(head);
  const headerOffset = header ? header.index : -1;
  if (!header) problems.push('header.missing');
  else if (headerOffset > 0) problems.push('header.leadingBytes');
  if (header && (!header[1] || !/^(1\.[0-7]|2\.0)$/.test(header[1]))) problems.push('header.version');

  const tail = text(file.read(Math.max(0, file.size - tailWindow), tailWindow));
  if (!tail.includes('%%EOF')) problems.push('end.missing');
  const start = /startxref\s*(\d+)(?![\s\S]*startxref)/.exec(tail);
  if (!start) problems.push('startxref.missing');
  const chain = start
    ? followChain(file, Number(start[1]), Math.max(0, headerOffset), maxSections, problems)
    : { sections: 0, isHybrid: false };
  return {
    headerOffset,
    headerVersion: header?.[1] ?? null,
    xrefSections: chain.sections,
    isHybrid: chain.isHybrid,
    isLinearized: /\/Linearized\b/.test(head),
    problems,
  };
}

interface Section {
  prev: number | null;
  isHybrid: boolean;
}

function followChain(
  file: DiskFile,
  start: number,
  headerOffset: number,
  maxSections: number,
  problems: StructureProblem[],
): { sections: number; isHybrid: boolean } {
  const seen = new Set<number>();
  let isHybrid = false;
  for (let offset: number | null = start; offset !== null; ) {
    if (seen.has(offset)) {
      problems.push('xref.loop');
      break;
    }
    seen.add(offset);
    if (seen.size > maxSections) throw new FileFaultError('PDF_LIMIT_XREF', { limit: maxSections });
    // In files with bytes before the header, offsets count from the header; if the bytes were added later, from the
    // file start.
    const section: Section | StructureProblem = readSection(file, offset + headerOffset);
    const found: Section | StructureProblem =
      typeof section === 'string' && headerOffset > 0 ? readSection(file, offset) : section;
    if (typeof found === 'string') {
      problems.push(found);
      break;
    }
    isHybrid ||= found.isHybrid;
    offset = found.prev;
  }
  return { sections: seen.size, isHybrid };
}

function readSection(file: DiskFile, offset: number): Section | StructureProblem {
  if (offset <= 0 || offset >= file.size) return 'xref.offset';
  const bytes = file.read(offset, 2048);
  const lexer = createLexer(bytes);
  const first = nextToken(lexer);
  if (first === tokens.keyword && lexer.keyword === packKeyword('xref')) return readTable(file, offset + lexer.pos);
  if (first !== tokens.number) return 'xref.offset';
  // A cross-reference stream: 12 0 obj << … >>
  if (nextToken(lexer) !== tokens.number || nextToken(lexer) !== tokens.keyword) return 'xref.offset';
  if (lexer.keyword !== packKeyword('obj') || nextToken(lexer) !== tokens.dictStart) return 'xref.offset';
  const dict = readDict(lexer, 0);
  return dict.map.has('W') ? linksOf(dict) : 'xref.offset';
}

/** Walks a classic cross-reference table by its subsection headers, without reading the entries, to its trailer. */
function readTable(file: DiskFile, from: number): Section | StructureProblem {
  let offset = from;
  // At worst there is one subsection per object; MuPDF rebuilds the table of a file with more than this anyway.
  for (let subsections = 0; subsections < 100_000; subsections += 1) {
    const lexer = createLexer(file.read(offset, 4096));
    const token = nextToken(lexer);
    if (token === tokens.keyword) {
      if (tokenText(lexer) !== 'trailer') return 'trailer.unreadable';
      if (nextToken(lexer) !== tokens.dictStart) return 'trailer.unreadable';
      return linksOf(readDict(lexer, 0));
    }
    if (token !== tokens.number || nextToken(lexer) !== tokens.number) return 'xref.entries';
    const count = lexer.number;
    if (!Number.isInteger(count) || count < 0) return 'xref.entries';
    let at = lexer.pos;
    while (lexer.bytes[at] === 32 || lexer.bytes[at] === 13 || lexer.bytes[at] === 10) at += 1;
    if (count > 0) {
      const entry = Buffer.from(file.read(offset + at, 20)).toString('latin1');
      // Entries have exactly 20 bytes (ISO 32000-1, 7.5.4); many writers end them with one byte only, which readers
      // accept.
      const length = /^\d{10} \d{5} [nf](\r\n| \r| \n)/.test(entry)
        ? 20
        : /^\d{10} \d{5} [nf][\r\n]/.test(entry)
          ? 19
          : 0;
      if (length === 0) return 'xref.entries';
      at += count * length;
    }
    offset += at;
    if (offset >= file.size) return 'xref.entries';
  }
  return 'xref.entries';
}

function linksOf(trailer: PdfDict): Section {
  const prev = trailer.map.get('Prev');
  return { prev: typeof prev === 'number' && prev > 0 ? prev : null, isHybrid: trailer.map.has('XRefStm') };
}
