import { z } from 'zod';
import { defineEffect } from '../effect.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** A copy of a proof's file with the notes on it as annotations. */
export const proofNotesEffect = defineEffect({
  kind: 'proofNotes',
  payload: z.object({
    proofId: z.string(),
    /** Of the notes that it must hold. */
    digest: z.string(),
    /** File name of the copy. */
    name: z.string(),
  }),
  leaseMs: 600_000,
  patienceMs: 3_600_000,
  afterUnknown: 'repeat',
  isForTrials: true,
  words: { en, zh, fr, es, pt, 'it-IT': it },
});
