import type { StepRunner } from '../step-runner.ts';
import type { retentionContract } from './contract.ts';

/** The decision is kept with the session; the step itself removes nothing. */
export const runRetention: StepRunner<typeof retentionContract> = async ({ settings }) => ({
  end: 'outcome',
  outcome: 'done',
  decisions: { retention: settings },
  summary: { ...settings },
});
