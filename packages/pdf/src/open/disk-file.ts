import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { FileFaultError } from '@pdf2press/contract/faults';

/** A file that is read in pieces, so that it is never held in memory as a whole. */
export interface DiskFile {
  readonly path: string;
  readonly fd: number;
  readonly size: number;
  /** Reads `length` bytes at `position` into `target`; returns how many bytes were read. */
  readInto: (target: Uint8Array, targetOffset: number, length: number, position: number) => number;
  /** Reads at most `length` bytes into a new array. */
  read: (position: number, length: number) => Uint8Array;
  close: () => void;
}

/** @throws FileFaultError FILE_NOT_FOUND, PDF_EMPTY, PDF_TOO_LARGE */
export function openDiskFile(path: string, maxBytes: number): DiskFile {
  const fd = openOrFail(path);
  const info = fstatSync(fd);
  const refuse = (fault: FileFaultError): never => {
    closeSync(fd);
    throw fault;
  };
  if (!info.isFile()) refuse(new FileFaultError('FILE_NOT_FOUND'));
  if (info.size === 0) refuse(new FileFaultError('PDF_EMPTY'));
  if (info.size > maxBytes) refuse(new FileFaultError('PDF_TOO_LARGE', { bytes: info.size, limitBytes: maxBytes }));
  let isOpen = true;
  const readInto = (target: Uint8Array, targetOffset: number, length: number, position: number): number =>
    position >= info.size || position < 0 ? 0 : readSync(fd, target, targetOffset, length, position);
  return {
    path,
    fd,
    size: info.size,
    readInto,
    read(position, length) {
      const target = new Uint8Array(Math.max(0, Math.min(length, info.size - position)));
      return target.subarray(0, readInto(target, 0, target.length, position));
    },
    close() {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}

function openOrFail(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw new FileFaultError('FILE_NOT_FOUND', {}, { cause: error });
  }
}
