import {
  type SettingIssue,
  validateWorkflow,
  type WorkflowDefinition,
  type WorkflowIssue,
  type WorkflowStep,
  type WorkflowSurroundings,
} from '@pdf2press/contract';
import {
  checkPlaceholders,
  checkVariables,
  type KnownNames,
  knownNames,
  type RegularExpressions,
} from '@pdf2press/settings';
import type { StepContract, WorkflowNames } from './step.ts';
import { stepContracts } from './step-contracts.ts';

/** What is wrong with the placeholders of every text in the settings, however deep, each with the setting it stands in. */
function placeholderIssues(value: unknown, known: KnownNames, path: readonly string[] = []): WorkflowIssue[] {
  if (typeof value === 'string')
    return value.includes('{{')
      ? checkPlaceholders(value, known).map(({ code, params, offset }) => ({
          code,
          params: { ...params, offset },
          field: path.join('.'),
        }))
      : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => placeholderIssues(inner, known, [...path, key]));
}

/** What a kind itself finds wrong with settings that fit its schema; those that do not are told by the schema. */
function kindIssues({ kind, settings }: WorkflowStep, names: WorkflowNames): readonly SettingIssue[] {
  const contract: StepContract = stepContracts[kind];
  const read = contract.settings.safeParse(settings);
  return (read.success && contract.check?.(read.data, names)) || [];
}

const isOfExpression = ({ code }: SettingIssue): boolean => code === 'rule.expressionInvalid';

const namesOf = (
  { variables }: Pick<WorkflowDefinition, 'variables'>,
  regular: RegularExpressions | null,
): WorkflowNames => ({ known: knownNames({ scope: 'rule', variables }), variables, regular });

/** Whether a workflow has regular expressions, so that judging them needs the engine of `loadRegularExpressions`. */
export const hasRegularExpressions = (definition: WorkflowDefinition): boolean =>
  definition.steps.some((step) => kindIssues(step, namesOf(definition, null)).some(isOfExpression));

/**
 * Everything that keeps a workflow from being published: its graph, the settings of its steps, the texts in them, its
 * variables. Pure; the builder and the API ask the same. What it passes cannot fail at run time for its settings.
 * @param regular reads regular expressions; without it they are not judged. `loadRegularExpressions` brings it.
 */
export function checkWorkflow(
  definition: WorkflowDefinition,
  around: WorkflowSurroundings,
  regular: RegularExpressions | null = null,
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
      ].map((issue) => ({ ...issue, stepId: step.id })),
    ),
    ...checkVariables(variables),
  ];
}
