/** The only file that knows how the engine is opened and how its errors read. */
import { FileFaultError } from '@pdf2press/contract/faults';
import * as mupdf from 'mupdf';
import type { DiskFile } from './disk-file.ts';

export type Engine = mupdf.PDFDocument;

// The engine's warnings repeat what our own checks say in codes.
mupdf.setLog(null);

/** Put before a file that has no header: the engine guesses the kind of file by it. It rebuilds such a file anyway. */
const missingHeader = new TextEncoder().encode('%PDF-1.7\n');

/**
 * Opens the file through a stream that reads from disk.
 * @throws FileFaultError PDF_DAMAGED, PDF_MEMORY, PDF_LIMIT_NESTING
 */
export function openEngine(disk: DiskFile, hasHeader: boolean): Engine {
  const prefix = hasHeader ? missingHeader.subarray(0, 0) : missingHeader;
  const readAhead = blockReader(disk);
  const stream = new mupdf.Stream({
    fileSize: () => disk.size + prefix.length,
    read(memory: Uint8Array, offset: number, size: number, position: number) {
      if (position >= prefix.length) return readAhead(memory, offset, size, position - prefix.length);
      const piece = prefix.subarray(position, position + size);
      memory.set(piece, offset);
      return piece.length;
    },
    close: () => undefined,
  });
  const document = guarded(() => mupdf.Document.openDocument(stream, 'application/pdf'));
  if (!(document instanceof mupdf.PDFDocument)) throw new FileFaultError('PDF_NOT_PDF');
  return document;
}

/** The engine asks for 8 KiB at a time; neighbouring objects then come from one read. */
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

/** Runs engine code and turns its exceptions into faults. */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw engineFault(error);
  }
}

/** Runs engine code; anything but exhaustion is answered by `fallback`: one bad object does not spoil a file. */
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
  const message = error instanceof Error ? error.message : String(error);
  // The engine recurses where a file nests; its stack is bounded, and ends in this.
  if (error instanceof RangeError && /call stack/i.test(message)) {
    return new FileFaultError('PDF_LIMIT_NESTING', {}, { cause: error });
  }
  if (/malloc|calloc|realloc|out of memory|allocation failed|cannot enlarge/i.test(message)) {
    return new FileFaultError('PDF_MEMORY', {}, { cause: error });
  }
  // A handler other than the standard one (certificates), or a method nobody knows: locked all the same.
  if (/unknown encryption|crypt filter not identity/i.test(message)) {
    return new FileFaultError('PDF_ENCRYPTED', { isPasswordWrong: false, isSupported: false }, { cause: error });
  }
  return new FileFaultError('PDF_DAMAGED', {}, { cause: error });
}
