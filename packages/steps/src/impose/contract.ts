import { z } from 'zod';
import { lackingNames } from '../lacking-names.ts';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

export const imposeContract = stepContract({
  kind: 'Impose',
  version: 1,
  settings: z.object({
    profileId: z.string().min(1),
  }),
  outcomes: ['done'],
  profile: { kind: 'impose', isRequired: true },
  checkProfile: (profile, { variables }) =>
    lackingNames(profile, variables, { scope: 'sheet', also: ['file.name', 'session.id', 'date'] }),
  icon: 'M3 4h18v16H3zM12 4v16M3 12h18',
  group: 'prepress',
  feature: 'Imposition',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
