import { z } from 'zod';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

export const completeContract = stepContract({
  kind: 'Complete',
  version: 1,
  settings: z.object({
    /** Off = always Completed, whatever preflight found. */
    followsPreflight: z.boolean().default(true),
  }),
  outcomes: [],
  icon: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM8 12.3l2.7 2.7 5.3-5.6',
  group: 'end',
  single: { missing: 'workflow.completionMissing', twice: 'workflow.twoCompletions' },
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
