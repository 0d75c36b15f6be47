import { createHash } from 'node:crypto';

/** The sha-256 of a stream of bytes, in hexadecimal. Stops when the signal aborts. */
export async function hashOf(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of bytes) {
    signal.throwIfAborted();
    hash.update(part);
  }
  return hash.digest('hex');
}
