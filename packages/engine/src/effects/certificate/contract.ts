import { locales } from '@pdf2press/contract';
import { z } from 'zod';
import { defineEffect } from '../effect.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** The certificate of the decisions on a proof, in the language of whoever asked for it. */
export const certificateEffect = defineEffect({
  kind: 'certificate',
  payload: z.object({
    proofId: z.string(),
    /** Of the newest decision that it must hold. */
    upTo: z.int(),
    locale: z.enum(locales),
    /** File name of the certificate. */
    name: z.string(),
  }),
  leaseMs: 600_000,
  patienceMs: 3_600_000,
  afterUnknown: 'repeat',
  isForTrials: true,
  words: { en, zh, fr, es, pt, 'it-IT': it },
});
