import {
  type SettingIssue,
  validateWorkflow,
  type WorkflowDefinition,
  type WorkflowIssue,
  type WorkflowStep,
  type WorkflowSurroundings,
} from '@pdf2press/contract';
import { checkVariables, type KnownNames, knownNames, type RegularExpressions } from '@pdf2press/settings';
import { communicationProfileSchema, ruleIssues } from './communication-profile.ts';
import { placeholderIssues } from './placeholder-issues.ts';
import type { StepContract, WorkflowNames } from './step.ts';
import { stepContracts } from './step-contracts.ts';

/** What is wrong with the texts of a profile in this workflow, told at the step that names it. */
function profileTextIssues(
  { kind, settings }: WorkflowStep,
  known: KnownNames,
  profiles: KnownProfiles,
): WorkflowIssue[] {
  const contract: StepContract = stepContracts[kind];
  const { profileId } = settings;
  const profile = contract.profile?.usesVariables && typeof profileId === 'string' ? profiles[profileId] : undefined;
  return placeholderIssues(profile?.settings, known).map((issue) => ({ ...issue, field: 'profileId' }));
}

/** What is wrong in this workflow with the profile that writes about its sessions: its texts and its rules. */
function communicationIssues(
  { communicationProfileId: id }: WorkflowDefinition,
  names: WorkflowNames,
  profiles: KnownProfiles,
): WorkflowIssue[] {
  const read = communicationProfileSchema.safeParse(id === undefined ? undefined : profiles[id]?.settings);
  if (!read.success) return [];
  // What is written about accounts is about no session.
  const { accounts: _, ...told } = read.data;
  const known = knownNames({ scope: 'message', variables: names.variables });
  const issues = [...placeholderIssues(told, known), ...ruleIssues(read.data, names)];
  return issues.map((issue) => ({ ...issue, field: 'communicationProfileId' }));
}

/** What a kind itself finds wrong with settings that fit its schema; those that do not are told by the schema. */
function kindIssues({ kind, settings }: WorkflowStep, names: WorkflowNames): readonly SettingIssue[] {
  const contract: StepContract = stepContracts[kind];
  const read = contract.settings.safeParse(settings);
  return (read.success && contract.check?.(read.data, names)) || [];
}

/** Profiles that steps name, by their ids, where they have been read. */
type KnownProfiles = Readonly<Record<string, { settings: unknown }>>;

const isOfExpression = ({ code }: SettingIssue): boolean => code === 'rule.expressionInvalid';

const namesOf = (
  { variables, steps }: Pick<WorkflowDefinition, 'variables' | 'steps'>,
  regular: RegularExpressions | null,
): WorkflowNames => ({
  known: knownNames({ scope: 'rule', variables }),
  variables,
  stepIds: new Set(steps.map(({ id }) => id)),
  regular,
});

/** Whether a workflow has regular expressions, so that judging them needs the engine of `loadRegularExpressions`. */
export const hasRegularExpressions = (definition: WorkflowDefinition): boolean =>
  definition.steps.some((step) => kindIssues(step, namesOf(definition, null)).some(isOfExpression));

/**
 * Everything that keeps a workflow from being published: its graph, the settings of its steps, the texts in them, its
 * variables. Pure; the builder and the API ask the same. What it passes cannot fail at run time for its settings.
 * @param regular reads regular expressions; without it they are not judged. `loadRegularExpressions` brings it.
 * @param profiles whose texts are judged with the variables of this workflow
 */
export function checkWorkflow(
  definition: WorkflowDefinition,
  around: WorkflowSurroundings,
  regular: RegularExpressions | null = null,
  profiles: KnownProfiles = {},
): WorkflowIssue[] {
  const { variables } = definition;
  const known = knownNames({ variables });
  const names = namesOf(definition, regular);
  return [
    ...validateWorkflow(stepContracts, definition, around),
    ...definition.steps.flatMap((step) =>
      [
        ...kindIssues(step, names).filter((issue) => regular !== null || !isOfExpression(issue)),
        ...placeholderIssues(step.settings, known),
        ...profileTextIssues(step, known, profiles),
      ].map((issue) => ({ ...issue, stepId: step.id })),
    ),
    ...communicationIssues(definition, names, profiles).filter((issue) => regular !== null || !isOfExpression(issue)),
    ...checkVariables(variables),
  ];
}
