import { z } from 'zod';
import { sourceContract } from '../source.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

const pattern = z.string().min(1).max(200);

/** A folder of the server that is polled every few seconds: a hot folder. */
export const folderContract = sourceContract({
  kind: 'folder',
  version: 1,
  settings: z.object({
    /** Relative to the folder that is configured for hot folders (`HOT_FOLDER_DIR`). */
    path: z.string().min(1).max(1000),
    /** File names to take; `*` matches any characters. */
    include: z.array(pattern).min(1).max(50).default(['*.pdf']),
    exclude: z.array(pattern).max(50).default(['.*', '~*', '*.tmp', '*.part']),
    hasSubfolders: z.boolean().default(false),
    /** A file is complete when its size, time and inode have not changed for this many seconds. */
    stableSeconds: z.number().min(0).max(3600).default(10),
    /** What happens to the file after it was taken. */
    after: z.enum(['move', 'delete', 'leave']).default('move'),
  }),
  placeSettings: ['path'],
  sessionSource: 'CloudFolder',
  way: 'hotFolder',
  isPolled: true,
  findsRefused: true,
  limitSeconds: 60,
  icon: 'M4 6a2 2 0 0 1 2-2h4l2 3h6a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2z',
  group: 'folder',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
