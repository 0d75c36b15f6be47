import { onlyWhen } from '@pdf2press/settings';
import { z } from 'zod';
import { deliveriesField, referencesOfDeliveries } from '../deliveries.ts';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

export const completeContract = stepContract({
  kind: 'Complete',
  version: 2,
  settings: z.object({
    /** Off = always Completed, whatever preflight found and however the file came. */
    followsPreflight: z.boolean().default(true),
    /** Which files are the session's result. */
    files: z.enum(['latest', 'all', 'step']).default('latest'),
    /** Id of the step whose files they are. */
    step: onlyWhen({ files: 'step' }, z.string().max(60).default('').meta({ editor: 'workflowStep' })),
    /** By which they get their names; null = they keep theirs. */
    profileId: z.string().max(60).nullable().default(null),
    deliveries: deliveriesField(),
  }),
  outcomes: [],
  profile: { kind: 'renaming', isRequired: false, usesVariables: true },
  icon: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM8 12.3l2.7 2.7 5.3-5.6',
  group: 'end',
  references: ({ deliveries }) => referencesOfDeliveries(deliveries),
  single: { missing: 'workflow.completionMissing', twice: 'workflow.twoCompletions' },
  check: ({ files, step }, { stepIds }) => {
    if (files !== 'step' || stepIds.has(step)) return [];
    return [{ code: step === '' ? 'value.required' : 'workflow.stepUnknown', field: 'step' }];
  },
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
