import { z } from 'zod';
import { sourceContract } from '../source.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** A program brings a file, with a key of its own. */
export const apiContract = sourceContract({
  kind: 'api',
  version: 1,
  settings: z.object({}),
  sessionSource: 'ExternalApi',
  isPolled: false,
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
