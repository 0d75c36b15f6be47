/** Opens MuPDF documents and translates MuPDF exceptions to fault codes. "Engine" in this package means MuPDF. */
import { FileFaultError } from '@pdf2press/contract/faults';
import type { PDFDocument } from 'mupdf';
import type { DiskFile } from './disk-file.ts';
import { MupdfMissing, mupdf } from './mupdf.ts';

export type Engine = PDFDocument;

/**
 * Prepended to a file without a header: MuPDF recognises the file type by it. It rebuilds the cross-reference table of
 * such a file anyway.
 */
export const missingHeader = new TextEncoder().encode('%PDF-1.7\n');

/**
 * Opens the file through a stream that reads from disk: a buffer of the whole file needs about ten times the memory.
 * @throws FileFaultError PDF_DAMAGED, PDF_MEMORY, PDF_NOT_PDF, PDF_LIMIT_NESTING, PDF_ENCRYPTED
 */
export function openEngine(disk: DiskFile, hasHeader: boolean): Engine {
  const { Document, PDFDocument, Stream } = mupdf();
  const prefix = hasHeader ? missingHeader.subarray(0, 0) : missingHeader;
  const readAhead = blockReader(disk);
  const stream = new Stream({
    fileSize: () => disk.size + prefix.length,
    read(memory: Uint8Array, offset: number, size: number, position: number) {
      if (position >= prefix.length) return readAhead(memory, offset, size, position - prefix.length);
      const piece = prefix.subarray(position, position + size);
      memory.set(piece, offset);
      return piece.length;
    },
    close: () => undefined,
  });
  const document = guarded(() => Document.openDocument(stream, 'application/pdf'));
  if (!(document instanceof PDFDocument)) throw new FileFaultError('PDF_NOT_PDF');
  return document;
}

/**
 * Bytes read from disk at a time. MuPDF asks for 8 KiB; with larger blocks, neighbouring objects come from one read.
 */
const blockBytes = 1 << 16;

function blockReader(disk: DiskFile): DiskFile['readInto'] {
  const block = new Uint8Array(blockBytes);
  let start = 0;
  let end = 0;
  return (memory, offset, size, position) => {
    if (position < start || position >= end) {
      start = position;
      end = position + disk.readInto(block, 0, blockBytes, position);
    }
    const piece = block.subarray(position - start, Math.min(end, position + size) - start);
    memory.set(piece, offset);
    return piece.length;
  };
}

/** Runs MuPDF code and converts its exceptions to FileFaultError. */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw engineFault(error);
  }
}

/**
 * Runs MuPDF code and returns `fallback` when it fails, so that one damaged object does not make a file unusable.
 * @throws FileFaultError PDF_MEMORY, PDF_LIMIT_*
 */
export function tolerant<T>(work: () => T, fallback: T): T {
  try {
    return work();
  } catch (error) {
    const fault = engineFault(error);
    if (fault.code === 'PDF_MEMORY' || fault.code.startsWith('PDF_LIMIT')) throw fault;
    return fallback;
  }
}

function engineFault(error: unknown): FileFaultError {
  if (error instanceof FileFaultError) return error;
  // Says nothing about the file.
  if (error instanceof MupdfMissing) throw error;
  const message = error instanceof Error ? error.message : String(error);
  // MuPDF recurses into nested objects; deep nesting exhausts the call stack.
  if (error instanceof RangeError && /call stack/i.test(message)) {
    return new FileFaultError('PDF_LIMIT_NESTING', {}, { cause: error });
  }
  if (/malloc|calloc|realloc|out of memory|allocation failed|cannot enlarge/i.test(message)) {
    return new FileFaultError('PDF_MEMORY', {}, { cause: error });
  }
  // A security handler other than the standard one (for example certificates) or an unknown method: no password opens
  // it.
  if (/unknown encryption|crypt filter not identity/i.test(message)) {
    return new FileFaultError('PDF_ENCRYPTED', { isPasswordWrong: false, isSupported: false }, { cause: error });
  }
  return new FileFaultError('PDF_DAMAGED', {}, { cause: error });
}
