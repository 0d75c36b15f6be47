import { z } from 'zod';
import { lackingNames } from '../lacking-names.ts';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

export const fixContract = stepContract({
  kind: 'Fix',
  version: 1,
  settings: z.object({
    profileId: z.string().min(1),
  }),
  outcomes: ['done'],
  profile: { kind: 'fix', isRequired: true },
  checkProfile: (profile, { variables }) => lackingNames(profile, variables, { scope: 'page' }),
  icon: 'M14.5 6.5a4 4 0 0 1 5.2-3.8l-2.5 2.5.4 2 2 .4 2.2-2.3a4 4 0 0 1-5.4 4.6L7 19.3a1.9 1.9 0 0 1-2.7-2.7L13.8 7.2z',
  group: 'prepress',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
