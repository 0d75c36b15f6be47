import { z } from 'zod';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

export const injectContract = stepContract({
  kind: 'Inject',
  version: 1,
  settings: z.object({
    /** Whether small pictures of the pages are drawn as soon as the file is there. */
    drawThumbnails: z.boolean().default(true),
    /** Whether a JPEG, PNG or TIFF is taken for a PDF of one page per picture; otherwise it is no PDF and fails. */
    imagesToPdf: z.boolean().default(true),
    /** Places that are looked into for files, each by its kind of source (a hot folder, a mailbox, a cloud folder). */
    sources: z
      .array(z.object({ kind: z.string().min(1).max(40), settings: z.record(z.string(), z.unknown()).default({}) }))
      .max(20)
      .default([])
      .meta({ editor: 'sources' }),
  }),
  outcomes: ['done'],
  sources: ({ sources }) =>
    Array.isArray(sources)
      ? sources.flatMap((source: unknown, at) =>
          typeof source === 'object' && source !== null && 'kind' in source && typeof source.kind === 'string'
            ? [{ kind: source.kind, settings: 'settings' in source ? source.settings : {}, field: `sources.${at}` }]
            : [],
        )
      : [],
  icon: 'M12 3v11M8 10l4 4 4-4M4 15v4a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-4',
  group: 'start',
  isEntry: true,
  single: { missing: 'workflow.injectionMissing', twice: 'workflow.twoInjections' },
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
