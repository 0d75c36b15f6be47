import { readVariables, type SettingIssue, type StepReference, variableValuesSchema } from '@pdf2press/contract';
import { checkRules, ruleGroupSchema } from '@pdf2press/settings';
import { z } from 'zod';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

const base = {
  /** Name of the rule's port: it stays while the rule is edited or moved. */
  id: z
    .string()
    .min(1)
    .max(60)
    .regex(/^(?!otherwise$)/)
    .meta({ editor: 'key' }),
  name: z.string().trim().max(200).default(''),
  when: ruleGroupSchema.default({ match: 'all', rules: [] }),
};

const ruleSchema = z.discriminatedUnion('action', [
  z.strictObject({ ...base, action: z.literal('continue') }),
  z.strictObject({
    ...base,
    action: z.literal('cancel'),
    reason: z.string().trim().max(500).default('').meta({ placeholders: 'session' }),
  }),
  z.strictObject({
    ...base,
    action: z.literal('changeCommunication'),
    profileId: z.string().min(1).meta({ editor: 'reference', of: 'communication' }),
  }),
  /** Values by variable; texts may hold placeholders. */
  z.strictObject({
    ...base,
    action: z.literal('overwriteVariables'),
    variables: variableValuesSchema.default({}).meta({ editor: 'variableValues' }),
  }),
  z.strictObject({
    ...base,
    action: z.literal('redirect'),
    workflowId: z.string().min(1).meta({ editor: 'reference', of: 'workflow' }),
    /** The file as it came, or as the steps before have made it. */
    file: z.enum(['original', 'current']).default('current'),
    carriesVariables: z.boolean().default(true),
  }),
]);
export type RouteRule = z.output<typeof ruleSchema>;

/** The rules of a draft, complete or not. */
const drafted = (rules: unknown): Readonly<Record<string, unknown>>[] =>
  Array.isArray(rules) ? rules.filter((rule) => typeof rule === 'object' && rule !== null) : [];

const isEmpty = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || Object.keys(value).length === 0;

/** What is wrong with the values that a rule gives to variables. */
function overwriteIssues(
  values: Extract<RouteRule, { action: 'overwriteVariables' }>['variables'],
  variables: Parameters<typeof readVariables>[0],
  field: string,
): SettingIssue[] {
  return Object.entries(values).flatMap(([name, value]): SettingIssue[] => {
    const variable = variables.find((each) => each.name.toLowerCase() === name.toLowerCase());
    const at = { field: `${field}.${name}`, params: { name } };
    if (!variable) return [{ code: 'workflow.variableUnknown', ...at }];
    // What a placeholder becomes is known when the session runs.
    const isKnown = value !== null && !(typeof value === 'string' && value.includes('{{'));
    const hasProblem =
      isKnown && readVariables([{ ...variable, default: null }], { [name]: value }).problems.length > 0;
    return hasProblem ? [{ code: 'workflow.variableInvalid', ...at }] : [];
  });
}

export const routeContract = stepContract({
  kind: 'Route',
  version: 1,
  settings: z.object({
    /** Looked at in this order; the first that holds decides. */
    rules: z.array(ruleSchema).max(50).default([]).meta({ isOrdered: true }),
  }),
  outcomes: ['otherwise'] as readonly string[],
  portsOf: ({ rules }) =>
    drafted(rules).flatMap(({ id, name, action }) =>
      typeof id === 'string' && action !== 'cancel' && action !== 'redirect'
        ? [{ id, name: typeof name === 'string' ? name : '' }]
        : [],
    ),
  icon: 'M3 12h5M8 12c4 0 4-7 8-7h4M8 12h12M8 12c4 0 4 7 8 7h4M18 3l2 2-2 2M18 10l2 2-2 2M18 17l2 2-2 2',
  group: 'decision',
  needsJudgement: true,
  lacks: ({ rules }) => {
    const given = drafted(rules);
    if (given.length === 0) return [{ code: 'workflow.rulesMissing', field: 'rules' }];
    return given.flatMap(({ action, variables }, at) =>
      action === 'overwriteVariables' && isEmpty(variables)
        ? [{ code: 'workflow.overwriteMissing', field: `rules.${at}.variables` }]
        : [],
    );
  },
  references: ({ rules }) =>
    drafted(rules).flatMap(({ action, profileId, workflowId }, at): StepReference[] => {
      if (action === 'changeCommunication' && typeof profileId === 'string' && profileId)
        return [{ resource: 'communication', id: profileId, field: `rules.${at}.profileId` }];
      if (action === 'redirect' && typeof workflowId === 'string' && workflowId)
        return [{ resource: 'workflow', id: workflowId, field: `rules.${at}.workflowId` }];
      return [];
    }),
  check: ({ rules }, names) =>
    rules.flatMap((rule, at) => {
      const field = `rules.${at}`;
      return [
        ...(rules.findIndex(({ id }) => id === rule.id) < at
          ? [{ code: 'workflow.idTwice', field: `${field}.id` }]
          : []),
        ...checkRules(rule.when, names).map((issue) => ({ ...issue, field: `${field}.when.${issue.field}` })),
        ...(rule.action === 'overwriteVariables'
          ? overwriteIssues(rule.variables, names.variables, `${field}.variables`)
          : []),
      ];
    }),
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
