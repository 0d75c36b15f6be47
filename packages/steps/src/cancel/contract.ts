import { z } from 'zod';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

export const cancelContract = stepContract({
  kind: 'Cancel',
  version: 1,
  settings: z.object({
    reason: z.string().trim().max(500).default('').meta({ placeholders: 'session' }),
    status: z.enum(['CanceledByOperator', 'CanceledByUser']).default('CanceledByOperator'),
  }),
  outcomes: [],
  icon: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM9 9l6 6M15 9l-6 6',
  group: 'end',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
