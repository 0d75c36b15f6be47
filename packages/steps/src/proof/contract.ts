import { z } from 'zod';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

export const proofContract = stepContract({
  kind: 'Proof',
  version: 1,
  settings: z.object({
    profileId: z.string().min(1),
  }),
  outcomes: ['Approved', 'Declined'],
  inTrials: { answers: ['Approved', 'Declined'], isNotRun: true },
  profile: { kind: 'proofing', isRequired: true },
  icon: 'M13 3H6a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h5M13 3l5 5v3M13 3v5h5M13.5 18l2.5 2.5 5-5.5',
  group: 'people',
  isRunnable: false,
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
