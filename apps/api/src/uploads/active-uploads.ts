import type { Stored } from '@pdf2press/storage';
import type { HashState } from './write-chunk.ts';

/**
 * The uploads that this process writes: the hash so far, how to end a writer whose sender has connected again, and those whose
 * bytes are on their way into the store.
 */
export interface ActiveUploads {
  hashes: Map<string, HashState>;
  writers: Map<string, { abort: () => void; ended: Promise<void> }>;
  storing: Map<string, Promise<Stored>>;
}
export const createActiveUploads = (): ActiveUploads => ({ hashes: new Map(), writers: new Map(), storing: new Map() });
