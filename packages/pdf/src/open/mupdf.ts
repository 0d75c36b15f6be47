/**
 * MuPDF, loaded when it is first needed. Reading its 10 MB of WebAssembly and making it ready takes longer than inspecting or
 * imposing a small file, and for an undamaged file these two need nothing of it.
 */
import type * as Mupdf from 'mupdf';
import { startWithKeptEngine } from './kept-engine.ts';

let library: typeof Mupdf | null = null;
let loading: Promise<void> | null = null;
let wasMissed = false;

/** MuPDF was asked for before it was loaded. `loadingMupdfOnDemand` answers it; nobody else needs to know of it. */
export class MupdfMissing extends Error {
  override readonly name = 'MupdfMissing';
}

/** Loads MuPDF, once. The door `@pdf2press/pdf` does so when it is imported, but not in a bundle, whose program does. */
export const loadMupdf = (): Promise<void> => (loading ??= load());

async function load(): Promise<void> {
  startWithKeptEngine();
  const loaded = await import('mupdf');
  // Warnings are switched off: the problems they describe are reported by our own checks as codes.
  loaded.setLog(null);
  library = loaded;
  // Frees its 10 MB as read from disk, which are no longer needed once they are compiled.
  globalThis.gc?.();
}

/** @throws MupdfMissing before it is loaded */
export function mupdf(): typeof Mupdf {
  if (library) return library;
  wasMissed = true;
  throw new MupdfMissing();
}

/**
 * Runs work that seldom needs MuPDF: without it, and from the beginning with it if the work asked for it. Whether it did is
 * noted where it asks, so that an answer is not believed whose making caught the error. The work must open its files itself,
 * because an open file keeps what was read of it, and must not mind to be run twice.
 */
export async function loadingMupdfOnDemand<T>(work: () => Promise<T>): Promise<T> {
  if (library) return work();
  try {
    const result = await work();
    if (!wasMissed) return result;
  } catch (error) {
    if (!wasMissed) throw error;
  }
  await loadMupdf();
  return work();
}
