import type { z } from 'zod';
import type { NewCloudFile } from './client.ts';
import type { SignedIn } from './signed-in.ts';

/**
 * Bytes of a piece: a multiple of 256 KiB (developers.google.com/workspace/drive/api/guides/manage-uploads) and of 320 KiB, and
 * less than 60 MiB (learn.microsoft.com/graph/api/driveitem-createuploadsession).
 */
const pieceBytes = 10 * 1024 * 1024;

/** The bytes in pieces of that size, the last one with what is left. */
async function* piecesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let kept: Uint8Array[] = [];
  let length = 0;
  for await (const some of bytes) {
    kept.push(some);
    length += some.length;
    while (length >= pieceBytes) {
      const all = Buffer.concat(kept);
      yield all.subarray(0, pieceBytes);
      kept = [all.subarray(pieceBytes)];
      length -= pieceBytes;
    }
  }
  if (length > 0) yield Buffer.concat(kept);
}

/** What both services answer while bytes are still to come. */
const isWaiting = (status: number): boolean => status === 308 || status === 202;

/**
 * Sends a file piece by piece to the address that a service gave for it. Resolves to what the service says of the whole file.
 * @throws SourceFaultError as the guarded fetch; Error when the service ends the upload early or not at all
 */
export async function sendPieces<Z extends z.ZodType>(
  { fetchOpen }: SignedIn,
  address: string,
  { size, bytes }: NewCloudFile,
  answer: Z,
): Promise<z.output<Z>> {
  let from = 0;
  for await (const piece of piecesOf(bytes)) {
    const range = `bytes ${from}-${from + piece.length - 1}/${size}`;
    const response = await fetchOpen(address, { method: 'PUT', headers: { 'content-range': range }, body: piece });
    from += piece.length;
    if (response.ok && !isWaiting(response.status) && from === size) return answer.parse(await response.json());
    await response.body?.cancel();
    if (!isWaiting(response.status) || from >= size)
      throw new Error(`the service answers ${response.status} to an upload at byte ${from} of ${size}`);
  }
  throw new Error(`a file of ${size} bytes ended at byte ${from}`);
}
