import { z } from 'zod';
import { idSchema, timeSchema } from './paging.ts';
import { holdAnswers } from './session-statuses.ts';
import { variableValueSchema, workflowVariableSchema } from './workflows.ts';

/**
 * What happens to a workflow variable while a session is held: shown; asked for, may stay empty; must have a value before
 * the session continues.
 */
export const holdFieldUses = ['shown', 'asked', 'required'] as const;
export const holdFieldSchema = z.strictObject({
  variable: z.string().max(60),
  use: z.enum(holdFieldUses).default('asked'),
});
export type HoldField = z.output<typeof holdFieldSchema>;

/** A person, or everybody with a role; the id says which. `name` is null when there is no such person or role any more. */
export const assigneeSchema = z.object({ id: idSchema, name: z.string().nullable() });
export type Assignee = z.infer<typeof assigneeSchema>;

/** What the list tells of a step that waits for somebody's decision. */
export const listedHoldSchema = z.object({
  /** What the workflow's author lets people do. */
  answers: z.array(z.enum(holdAnswers)),
  /** Whose decision it is first of all; null = nobody in particular. */
  assignee: assigneeSchema.nullable(),
  /** The reader is the assignee, or has the assigned role. */
  isMine: z.boolean(),
});
export type ListedHold = z.infer<typeof listedHoldSchema>;

/** A step that waits for somebody's decision. */
export const sessionHoldSchema = listedHoldSchema.extend({
  stepRunId: idSchema,
  /** The reason given by the workflow's author; empty when there is none. */
  reason: z.string(),
  since: timeSchema,
  /** When `onDue` happens automatically; null = it waits without a time limit. */
  dueAt: timeSchema.nullable(),
  onDue: z.enum(['continue', 'cancel']).nullable(),
  /** When it becomes somebody else's decision, and whose. */
  escalation: z.object({ at: timeSchema, to: assigneeSchema }).nullable(),
  /** The variable whose value lets the session continue by itself; null = none. */
  releaseWhen: z.string().nullable(),
  /** Variables to show or to ask for, with their present values. */
  fields: z.array(
    z.object({
      variable: workflowVariableSchema,
      use: z.enum(holdFieldUses),
      value: variableValueSchema,
    }),
  ),
});
export type SessionHold = z.infer<typeof sessionHoldSchema>;
