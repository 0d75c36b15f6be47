import { archiveRules } from '@pdf2press/contract';
import { z } from 'zod';
import { defineEffect } from '../effect.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** Copies a session's files to the subscriber's archive. */
export const archiveEffect = defineEffect({
  kind: 'archive',
  // Effects that were recorded before there were policies have none of it, and no bucket and keys: they are those of the settings.
  payload: z.object({ ...archiveRules, keysId: z.string().default('') }),
  leaseMs: 5 * 60_000,
  isRenewed: true,
  patienceMs: 24 * 3_600_000,
  afterUnknown: 'repeat',
  tells: 'settings.archiving.manage',
  words: { en, zh, fr, es, pt, 'it-IT': it },
});
