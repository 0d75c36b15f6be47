import { type ProfileKind, type ValueFault, workflowVariableSchema } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { type FillingSettings, mailboxSettingsSchema, newlyUnfilledVariables } from '@pdf2press/sources/contracts';
import { z } from 'zod';
import { InvalidRequestError } from '../frame/read-part.ts';

/* Mailboxes fill variables of the published version of their workflow, as `intake` uses it. */

const variablesSchema = z.array(workflowVariableSchema.pick({ name: true, type: true }));
export type PublishedVariable = z.output<typeof variablesSchema>[number];

/** The variables of a definition as it is stored; versions before there were any have none. */
export const variablesOf = (stored: unknown): PublishedVariable[] => variablesSchema.catch([]).parse(stored);

/** The variables of a workflow's published version; null where the caller sees none. */
export async function publishedVariables(tx: Transaction, workflowId: string): Promise<PublishedVariable[] | null> {
  const [row] = await tx.$queryRaw<{ variables: unknown }[]>`
    select published.definition -> 'variables' as variables
      from workflows workflow
      join workflow_versions published on published.workflow_id = workflow.id and published.no = workflow.published_no
     where workflow.id = ${workflowId} and workflow.deleted_at is null`;
  return row ? variablesOf(row.variables) : null;
}

/**
 * That a mailbox fills variables which its published workflow has and which can take what they are given. A workflow that is
 * not published yet is not asked: the list of mailboxes tells once it is.
 * @param settings as the schema of their kind read them
 * @param before the settings that are stored, if any: what they filled in vain before may stay
 * @throws InvalidRequestError 422 `mail.variableUnknown`, `mail.variableNotAddress` at each setting
 */
export async function demandFilledVariables(
  tx: Transaction,
  { kind, settings, before }: { kind: ProfileKind; settings: unknown; before?: unknown },
): Promise<void> {
  if (kind !== 'inboundEmail') return;
  // They were read by the schema of their kind, whose defaults it would not take if it read them once more.
  const mailbox = settings as FillingSettings;
  const variables = await publishedVariables(tx, mailbox.workflowId);
  if (!variables) return;
  const stored = mailboxSettingsSchema.safeParse(before).data;
  const faults = newlyUnfilledVariables(mailbox, stored, variables).map(
    ({ field, code, params }): ValueFault => ({ field: `settings.${field}`, code, params }),
  );
  const [first] = faults;
  if (!first) return;
  const { field = 'settings' } = first;
  throw new InvalidRequestError([{ code: 'profile.invalid', params: { field }, field }, ...faults], 422);
}
