import { randomBytes } from 'node:crypto';
import type { Storage } from './blob.ts';

async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** Checks that a store can be used: writes, reads back and removes a small blob. */
export async function checkByUse(storage: Storage): Promise<void> {
  const bytes = randomBytes(64);
  const { sha256 } = await storage.put({ subscriberId: 'check', bytes: once(bytes) });
  const blob = { subscriberId: 'check', sha256 };
  const parts: Buffer[] = [];
  for await (const part of await storage.open(blob)) parts.push(part as Buffer);
  await storage.remove(blob);
  if (!bytes.equals(Buffer.concat(parts))) throw new Error('the store gave back other bytes than it was given');
}
