import { z } from 'zod';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

const longestHours = 8760;

export const holdContract = stepContract({
  kind: 'Hold',
  version: 1,
  settings: z.object({
    /** Which sessions are held, by the newest preflight of the run; the others go on at once. */
    when: z.enum(['Always', 'WarningsAndErrors', 'Errors']).default('Always'),
    /** Shown to whoever decides. */
    reason: z.string().trim().max(500).default('').meta({ placeholders: 'session' }),
    /** Hours after which `onTimeout` happens by itself; 0 = it waits until somebody decides. */
    timeoutHours: z.number().min(0).max(longestHours).default(0),
    onTimeout: z.enum(['continue', 'cancel']).default('continue'),
  }),
  outcomes: ['continue'],
  inTrials: { answers: ['continue', 'cancel'] },
  icon: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM10 9v6M14 9v6',
  group: 'people',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
