import { cloudProviders } from '@pdf2press/contract';
import { z } from 'zod';
import { defineEffect } from '../effect.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** Withdraws the consent of an account at its service, and forgets the secret that it is stored as. */
export const consentEndEffect = defineEffect({
  kind: 'consentEnd',
  payload: z.object({ secretId: z.string(), provider: z.enum(cloudProviders) }),
  leaseMs: 75_000,
  patienceMs: 24 * 3_600_000,
  afterUnknown: 'repeat',
  tells: 'settings.security.manage',
  words: { en, zh, fr, es, pt, 'it-IT': it },
});
