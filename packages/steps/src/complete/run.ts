import type { StepRunner } from '../step-runner.ts';
import type { completeContract } from './contract.ts';

export const runComplete: StepRunner<typeof completeContract> = async ({ settings, session }) => {
  const hasFindings = session.result === 'Warning' || session.result === 'Error';
  return { end: 'session', status: settings.followsPreflight && hasFindings ? 'CompletedWithWarnings' : 'Completed' };
};
