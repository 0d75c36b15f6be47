/* Which variables of its workflow a mailbox fills, and those that it cannot. */
import type { WorkflowVariable } from '@pdf2press/contract';
import { nameKey, parsePlaceholders } from '@pdf2press/settings';
import type { MailboxSettings } from './contract.ts';

/** The settings of a mailbox that fill variables. */
export type FillingSettings = Pick<
  MailboxSettings,
  'subjectVariable' | 'senderVariable' | 'bodyVariable' | 'patterns' | 'workflowId'
>;

/** A variable that a mailbox fills in vain: a code of the contract's sentences, and the setting that names the variable. */
export interface UnfilledVariable {
  field: string;
  code: 'mail.variableUnknown' | 'mail.variableNotAddress';
  params: { name: string };
}

interface Filling {
  field: string;
  name: string;
  isAddress: boolean;
}

/** What settings fill, in the order of their form. */
function fillingsOf({ subjectVariable, senderVariable, bodyVariable, patterns }: FillingSettings): Filling[] {
  const whole = { subjectVariable, senderVariable, bodyVariable };
  const byPattern = patterns.flatMap(({ pattern }, at) =>
    parsePlaceholders(pattern).parts.flatMap((part): Filling[] =>
      typeof part === 'string' ? [] : [{ field: `patterns.${at}.pattern`, name: part.name, isAddress: false }],
    ),
  );
  return [
    ...Object.entries(whole).map(([field, name]) => ({ field, name, isAddress: field === 'senderVariable' })),
    ...byPattern,
  ].filter(({ name }) => name !== '');
}

/** The types that no address of a sender is a value of. */
const neverAddresses: readonly WorkflowVariable['type'][] = ['Number', 'YesNo'];

/**
 * The variables that a mailbox fills and its published workflow does not have, and those that are given the sender's address
 * and can never take one. What a part of a mail says besides can be a value of every type.
 * @param variables those of the published workflow
 */
export const unfilledVariables = (
  settings: FillingSettings,
  variables: readonly Pick<WorkflowVariable, 'name' | 'type'>[],
): UnfilledVariable[] =>
  fillingsOf(settings).flatMap(({ field, name, isAddress }): UnfilledVariable[] => {
    const variable = variables.find((one) => nameKey(one.name) === nameKey(name));
    if (!variable) return [{ field, code: 'mail.variableUnknown', params: { name } }];
    const isInVain = isAddress && neverAddresses.includes(variable.type);
    return isInVain ? [{ field, code: 'mail.variableNotAddress', params: { name } }] : [];
  });

/**
 * As `unfilledVariables`, without what stood in the settings before: a workflow that is published later may lack what it had,
 * and must not keep anybody from changing a password.
 */
export function newlyUnfilledVariables(
  settings: FillingSettings,
  before: FillingSettings | undefined,
  variables: readonly Pick<WorkflowVariable, 'name' | 'type'>[],
): UnfilledVariable[] {
  const found = unfilledVariables(settings, variables);
  if (!before || before.workflowId !== settings.workflowId) return found;
  const keyOf = ({ code, params }: UnfilledVariable) => `${code} ${nameKey(params.name)}`;
  const known = new Set(unfilledVariables(before, variables).map(keyOf));
  return found.filter((one) => !known.has(keyOf(one)));
}
