import { z } from 'zod';
import { sourceContract } from '../source.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** A program sends a file, with a key of its own. */
export const apiContract = sourceContract({
  kind: 'api',
  version: 1,
  settings: z.object({}),
  sessionSource: 'ExternalApi',
  isPolled: false,
  icon: 'M8 8l-4 4 4 4M16 8l4 4-4 4M13.5 5l-3 14',
  group: 'program',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
