import { fileTypeOf, problem, unzippedBytesOf, unzippedLimit, zipDirectoryAt, zipEndBytes } from '@pdf2press/contract';
import type { Blob, Storage, Stored } from '@pdf2press/storage';

/** Bytes of a directory that are read here: that of 10,000 files with long names. What is longer, the step looks at. */
const mostDirectoryBytes = 4 * 2 ** 20;

/** The bytes from `start` on, at most so many. */
async function read(storage: Storage, blob: Blob, { start, bytes }: { start: number; bytes: number }): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of await storage.open(blob, { start, end: start + bytes - 1 })) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/**
 * Refuses a ZIP whose own directory says that its files are too large, while its sender is still there to be told. Only sizes
 * are read, and they may be untrue: the step that takes the files out demands the same of each byte.
 * @throws ProblemError `file.zipTooLarge`; FileFaultError `STORAGE_UNAVAILABLE`
 */
export async function demandHarmlessZip(
  storage: Storage,
  { subscriberId, fileName, sha256, size }: Stored & { subscriberId: string; fileName: string },
): Promise<void> {
  if (fileTypeOf(fileName) !== 'ZIP' || size === 0) return;
  const blob = { subscriberId, sha256 };
  const bytes = Math.min(size, zipEndBytes);
  const directory = zipDirectoryAt(await read(storage, blob, { start: size - bytes, bytes }));
  if (!directory || directory.bytes === 0 || directory.start + directory.bytes > size) return;
  const known = await read(storage, blob, {
    start: directory.start,
    bytes: Math.min(directory.bytes, mostDirectoryBytes),
  });
  if (unzippedLimit({ zipBytes: size, bytes: unzippedBytesOf(known) })) throw problem('file.zipTooLarge', {}, 'file');
}
