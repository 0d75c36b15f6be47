import { problem } from '@pdf2press/contract';
import type { Storage } from '@pdf2press/storage';

/** With a smaller share of the disk free, no new file is taken; steps need the rest, and uploads under way may finish. */
const minimalRoom = 0.1;

/**
 * Asked before the first byte is taken.
 * @param size bytes that are about to come; 0 = unknown
 * @throws ProblemError `storage.full`
 */
export async function demandRoom(storage: Pick<Storage, 'room'>, size: number): Promise<void> {
  const room = await storage.room();
  if (room && (room.freeBytes < size || room.freeBytes / room.totalBytes < minimalRoom)) throw problem('storage.full');
}
