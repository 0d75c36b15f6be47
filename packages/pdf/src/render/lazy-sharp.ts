/** libvips takes 20 MB and 60 ms to load, and most work on a PDF needs no picture: it is loaded by the first. */
import { createRequire } from 'node:module';
import type sharpModule from 'sharp';

let loaded: typeof sharpModule | null = null;

function load(): typeof sharpModule {
  if (!loaded) {
    loaded = createRequire(import.meta.url)('sharp') as typeof sharpModule;
    // Every picture is met once: a cache of operations only holds memory.
    loaded.cache(false);
  }
  return loaded;
}

/** `sharp` of the package of that name. */
export const sharp = (...input: Parameters<typeof sharpModule>): ReturnType<typeof sharpModule> => load()(...input);
