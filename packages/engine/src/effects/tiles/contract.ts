import { z } from 'zod';
import { defineEffect } from '../effect.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** Raster tiles of a page that somebody looks at. */
export const tilesEffect = defineEffect({
  kind: 'tiles',
  /** `page` counts from 1. */
  payload: z.object({ fileId: z.string(), page: z.number().int().min(1) }),
  leaseMs: 180_000,
  patienceMs: 3_600_000,
  afterUnknown: 'repeat',
  isForTrials: true,
  words: { en, zh, fr, es, pt, 'it-IT': it },
});
