import { z } from 'zod';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

export const actionContract = stepContract({
  kind: 'Action',
  version: 1,
  settings: z.object({}),
  outcomes: ['done'],
  icon: 'M13 3 5 14h6l-1 7 9-12h-6z',
  group: 'files',
  feature: 'ActionStep',
  isRunnable: false,
  inTrials: { answers: ['done'], isNotRun: true },
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
