/* The door `@pdf2press/steps/runners`: how each kind runs. */
import { FileFaultError, type StepKind } from '@pdf2press/contract';
import * as kindRunners from './kind-runners.ts';
import type { StepContext, StepResult } from './step.ts';
import { type RunnableKind, stepContracts } from './step-contracts.ts';
import type { StepRunner, StepTools } from './step-runner.ts';

export type { StepTools } from './step-runner.ts';

/** A kind that says it can run and has no line in `kind-runners.ts`, or the other way round, does not compile. */
const runners: { readonly [K in RunnableKind]: StepRunner<(typeof stepContracts)[K]> } & {
  readonly [K in Exclude<keyof typeof kindRunners, RunnableKind>]: never;
} = kindRunners;

type AnyRunner = (context: StepContext, tools: StepTools) => Promise<StepResult>;

const isRunnable = (kind: StepKind): kind is RunnableKind => Object.hasOwn(runners, kind);

/**
 * Runs one step of any kind: its settings read by the kind's own schema, so that a workflow published by an older
 * release gets the defaults of this one.
 * @throws FileFaultError `SETTINGS_INVALID` naming the setting
 */
export function runStep(context: StepContext, tools: StepTools): Promise<StepResult> {
  const { kind } = context.step;
  if (!isRunnable(kind)) throw new FileFaultError('SETTINGS_INVALID', { field: 'kind' });
  const settings = stepContracts[kind].settings.safeParse(context.settings);
  if (!settings.success)
    throw new FileFaultError('SETTINGS_INVALID', { field: settings.error.issues[0]?.path.join('.') ?? '' });
  // The runner of a kind takes the output of that kind's schema: the mapped type above holds them together.
  return (runners[kind] as AnyRunner)({ ...context, settings: settings.data }, tools);
}
