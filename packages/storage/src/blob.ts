import type { Readable } from 'node:stream';

/** Bytes are named by subscriber and SHA-256 (hex): equal bytes of two subscribers are two blobs. */
export interface Blob {
  subscriberId: string;
  sha256: string;
}

export interface PutRequest {
  subscriberId: string;
  bytes: AsyncIterable<Uint8Array>;
  /** More bytes than this fail with `file.tooLarge`. */
  maxBytes?: number;
}

export interface Stored {
  sha256: string;
  /** Bytes. */
  size: number;
}

/** Both ends inclusive, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface Room {
  freeBytes: number;
  totalBytes: number;
}

export interface Storage {
  /**
   * Stores a stream and computes its hash on the way, so memory stays small. When it returns, the bytes are durable. Bytes
   * that are stored already are stored once.
   * @throws ProblemError `file.tooLarge`, `storage.full`
   */
  put(request: PutRequest): Promise<Stored>;
  /**
   * Takes over a finished local file whose hash is known (an upload that hashed as it wrote): moved into place on the
   * same volume, else copied. The file is gone afterwards. Its writer has flushed it.
   */
  adopt(file: Stored & { subscriberId: string; path: string }): Promise<Stored>;
  /** @throws FileFaultError `STORAGE_UNAVAILABLE` where the bytes are missing or the store does not answer. */
  open(blob: Blob, range?: ByteRange): Promise<Readable>;
  /** Size in bytes, or undefined when the blob is not there. */
  sizeOf(blob: Blob): Promise<number | undefined>;
  /**
   * Removes a blob, if it is there. With `unlessPutSince`, bytes that were put later stay, also those that were stored
   * before and put again: a new file needs them. Returns whether the blob is gone.
   */
  remove(blob: Blob, options?: { unlessPutSince?: Date }): Promise<boolean>;
  /**
   * Runs work with the blob as a file on this machine, for children that open PDFs from disk. The path is good until
   * the work ends and must only be read.
   */
  withLocalPath<T>(blob: Blob, work: (path: string) => Promise<T>): Promise<T>;
  /** Free space for new files; undefined where the store has no limit. */
  room(): Promise<Room | undefined>;
  /** Writes, reads back and removes a small blob. @throws what the store throws */
  check(): Promise<void>;
}
