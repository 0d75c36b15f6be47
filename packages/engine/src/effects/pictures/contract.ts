import { z } from 'zod';
import { defineEffect } from '../effect.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** The checksums of small pictures of all pages of a file, by which two files are compared. */
export const picturesEffect = defineEffect({
  kind: 'pictures',
  payload: z.object({ fileId: z.string(), name: z.string() }),
  leaseMs: 600_000,
  patienceMs: 3_600_000,
  afterUnknown: 'repeat',
  isForTrials: true,
  words: { en, zh, fr, es, pt, 'it-IT': it },
});
