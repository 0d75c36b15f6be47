import { z } from 'zod';
import { sourceContract } from '../source.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

const pattern = z.string().min(1).max(200);

/** A folder of the server that is looked into every few seconds: a hot folder. */
export const folderContract = sourceContract({
  kind: 'folder',
  version: 1,
  settings: z.object({
    /** Below the folder that the host has set aside for hot folders. */
    path: z.string().min(1).max(1000),
    /** File names to take; `*` stands for anything. */
    include: z.array(pattern).min(1).max(50).default(['*.pdf']),
    exclude: z.array(pattern).max(50).default(['.*', '~*', '*.tmp', '*.part']),
    hasSubfolders: z.boolean().default(false),
    /** A file is whole when nothing about it has changed for this many seconds. */
    stableSeconds: z.number().min(0).max(3600).default(10),
    /** What becomes of the file once it is taken. */
    after: z.enum(['move', 'delete', 'leave']).default('move'),
  }),
  sessionSource: 'CloudFolder',
  isPolled: true,
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
