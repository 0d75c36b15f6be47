import { z } from 'zod';
import { defineEffect } from '../effect.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** Removes from the archive the copy of bytes that no session refers to any more. */
export const archiveRemoveEffect = defineEffect({
  kind: 'archiveRemove',
  // Effects that were recorded before a copy's place was kept with it have none: it lies where the settings say.
  payload: z.object({
    sha256: z.string(),
    prefix: z.string().default('archive/'),
    bucketName: z.string().default(''),
    region: z.string().default(''),
    keysId: z.string().default(''),
  }),
  leaseMs: 15 * 60_000,
  patienceMs: 30 * 24 * 3_600_000,
  afterUnknown: 'repeat',
  tells: 'settings.archiving.manage',
  words: { en, zh, fr, es, pt, 'it-IT': it },
});
