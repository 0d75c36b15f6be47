import type { HashState } from './write-chunk.ts';

/** The uploads that this process writes: the hash so far, and how to end a writer whose sender has connected again. */
export interface ActiveUploads {
  hashes: Map<string, HashState>;
  writers: Map<string, { abort: () => void; ended: Promise<void> }>;
}
export const createActiveUploads = (): ActiveUploads => ({ hashes: new Map(), writers: new Map() });
