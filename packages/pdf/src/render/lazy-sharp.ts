/** Loads sharp on first use: libvips takes 20 MB and 60 ms to load, and most work on a PDF does not need it. */
import { createRequire } from 'node:module';
import type sharpModule from 'sharp';

let loaded: typeof sharpModule | null = null;

function load(): typeof sharpModule {
  if (!loaded) {
    loaded = createRequire(import.meta.url)('sharp') as typeof sharpModule;
    // Every picture is processed once, so the operation cache would only use memory.
    loaded.cache(false);
  }
  return loaded;
}

/** The function `sharp` of the package of that name. */
export const sharp = (...input: Parameters<typeof sharpModule>): ReturnType<typeof sharpModule> => load()(...input);
