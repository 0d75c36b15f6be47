import type { StepKind } from '@pdf2press/contract';
import * as kinds from './kinds.ts';
import type { StepContract } from './step.ts';

/** Every kind's contract by its name; a kind without a line in `kinds.ts` does not compile. */
export const stepContracts: typeof kinds = kinds satisfies { [K in StepKind]: StepContract<K> };

/** The kinds that have a runner. */
export type RunnableKind = { [K in StepKind]: (typeof kinds)[K] extends { isRunnable?: true } ? K : never }[StepKind];
