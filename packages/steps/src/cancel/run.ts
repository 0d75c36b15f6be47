import type { StepRunner } from '../step-runner.ts';
import { textOf } from '../text-of.ts';
import type { cancelContract } from './contract.ts';

export const runCancel: StepRunner<typeof cancelContract> = async (context) => {
  const { status, reason } = context.settings;
  return { end: 'session', status, ...(reason && { summary: { reason: await textOf(context, reason) } }) };
};
