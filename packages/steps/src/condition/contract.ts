import { checkRules, ruleGroupSchema } from '@pdf2press/settings';
import { z } from 'zod';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** Whether a draft has any rule yet. */
const hasRules = (when: unknown): boolean =>
  typeof when === 'object' && when !== null && 'rules' in when && Array.isArray(when.rules) && when.rules.length > 0;

export const conditionContract = stepContract({
  kind: 'Condition',
  version: 1,
  settings: z.object({
    /** Leaves by `true` when the group holds. */
    when: ruleGroupSchema.default({ match: 'all', rules: [] }),
  }),
  outcomes: ['true', 'false'],
  icon: 'M12 3l8 8-8 8-8-8zM12 19v2M9.8 9.2a2.3 2.3 0 1 1 3.2 2.1c-.7.3-1 .8-1 1.5',
  group: 'decision',
  portsMissing: 'workflow.conditionPaths',
  needsJudgement: true,
  lacks: ({ when }) => (hasRules(when) ? [] : [{ code: 'workflow.rulesMissing', field: 'when' }]),
  check: ({ when }, names) =>
    when.rules.length === 0 ? [] : checkRules(when, names).map((issue) => ({ ...issue, field: `when.${issue.field}` })),
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
