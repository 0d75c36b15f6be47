import { z } from 'zod';
import { lackingNames } from '../lacking-names.ts';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

export const preflightContract = stepContract({
  kind: 'Preflight',
  version: 1,
  settings: z.object({
    profileId: z.string().min(1),
  }),
  outcomes: ['done'],
  profile: { kind: 'preflight', isRequired: true },
  checkProfile: (profile, { variables }) => lackingNames(profile, variables),
  icon: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13zM15.2 15.2 21 21M7.8 10.5l2 2 3.6-3.8',
  group: 'prepress',
  judges: true,
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
