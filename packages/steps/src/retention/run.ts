import { retentionProfileSchema } from '@pdf2press/contract';
import type { StepRunner } from '../step-runner.ts';
import type { retentionContract } from './contract.ts';

/**
 * The decision is kept with the session, as the policy was when the workflow was published; the step itself removes nothing.
 * When the session has ended, its files go by it.
 */
export const runRetention: StepRunner<typeof retentionContract> = async ({ settings, profile }) => {
  const { profileId, ...own } = settings;
  const rules = retentionProfileSchema.parse(profileId === null ? own : profile?.settings);
  const policy = profileId === null ? null : { id: profileId, name: profile?.name ?? '' };
  return {
    end: 'outcome',
    outcome: 'done',
    decisions: { retention: { ...rules, policy } },
    summary: { ...rules, ...(policy && { policy: policy.name }) },
  };
};
