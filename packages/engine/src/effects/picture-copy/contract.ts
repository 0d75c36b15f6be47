import { z } from 'zod';
import { defineEffect } from '../effect.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/**
 * A copy of a proof's file whose pages are pictures of low resolution with a watermark; or the picture of its first page, that
 * goes with messages.
 */
export const pictureCopyEffect = defineEffect({
  kind: 'pictureCopy',
  payload: z.object({
    proofId: z.string(),
    /** Whose copy it is, where the watermark names its reader; null = one copy for all. */
    recipientId: z.string().nullable(),
    format: z.enum(['pdf', 'jpeg']).default('pdf'),
    /** File name of the copy. */
    name: z.string(),
  }),
  leaseMs: 120_000,
  isRenewed: true,
  patienceMs: 7_200_000,
  afterUnknown: 'repeat',
  isForTrials: true,
  words: { en, zh, fr, es, pt, 'it-IT': it },
});
