import type { HashState } from './write-chunk.ts';

/** What this process knows of uploads it is at: the running hash, and how to end a writer whose sender has come back. */
export interface ActiveUploads {
  hashes: Map<string, HashState>;
  writers: Map<string, { abort: () => void; ended: Promise<void> }>;
}
export const createActiveUploads = (): ActiveUploads => ({ hashes: new Map(), writers: new Map() });
