import { z } from 'zod';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

export const retentionContract = stepContract({
  kind: 'Retention',
  version: 1,
  settings: z.object({
    profileId: z.string().min(1).optional(),
  }),
  outcomes: ['done'],
  profile: { kind: 'retention', isRequired: false },
  icon: 'M4 4h16v4H4zM5 8v11a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V8M12 11v3l2 1.5',
  group: 'files',
  isRunnable: false,
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
