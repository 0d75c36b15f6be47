import { z } from 'zod';
import { sourceContract } from '../source.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** A person uploads a file: in the web app, or on an organization's public page. */
export const uploadContract = sourceContract({
  kind: 'upload',
  version: 1,
  settings: z.object({}),
  sessionSource: 'ManualInjected',
  isPolled: false,
  icon: 'M12 15V4M8 8l4-4 4 4M4 15v4a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-4',
  group: 'manual',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
