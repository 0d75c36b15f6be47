import type { StepRunner } from '../step-runner.ts';
import type { cancelContract } from './contract.ts';

export const runCancel: StepRunner<typeof cancelContract> = async ({ settings }) => ({
  end: 'session',
  status: settings.status,
  ...(settings.reason && { summary: { reason: settings.reason } }),
});
