import { approvalNeeds, approvalPolicies, givenApprovalPolicySchema, resultLevels } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { outcomeOf } from './outcome.ts';

const votes = { A: 'Approved', D: 'Declined', _: null } as const;
const votersOf = (text: string) => [...text].map((vote) => ({ decision: votes[vote as keyof typeof votes] }));

test.each([
  ['Any', 1, '__', null],
  ['Any', 1, '_A', 'Approved'],
  ['Any', 1, 'D_', 'Declined'],
  ['All', 1, 'A_', null],
  ['All', 1, 'AA', 'Approved'],
  ['All', 1, 'AD', 'Declined'],
  ['All', 1, 'D_', 'Declined'],
  ['All', 1, '', null],
  ['Sequence', 1, 'A_', null],
  ['Sequence', 1, 'AA', 'Approved'],
  ['Sequence', 1, 'D_', 'Declined'],
  ['Quorum', 2, 'A__', null],
  ['Quorum', 2, 'AA_', 'Approved'],
  ['Quorum', 2, 'AD_', null],
  ['Quorum', 2, 'ADA', 'Approved'],
  ['Quorum', 2, 'DD_', 'Declined'],
  ['Quorum', 5, 'AA', 'Approved'],
  ['Quorum', 5, 'A_', null],
  ['Quorum', 2, '', null],
] as const)('%s of %i: %s makes %s', (mode, quorum, given, outcome) => {
  expect(outcomeOf(mode, quorum, votersOf(given))).toBe(outcome);
});

test('what approving needs, by policy and result', () => {
  const table = approvalPolicies.map((policy) => [
    policy,
    ...resultLevels.map((level) => approvalNeeds[policy][level]),
  ]);
  expect(table).toEqual([
    ['AlwaysApprove', 'nothing', 'nothing', 'nothing'],
    ['Decline', 'nothing', 'nothing', 'impossible'],
    ['ConfirmIfWarnOrError', 'nothing', 'acceptance', 'acceptance'],
    ['ConfirmIfError', 'nothing', 'nothing', 'acceptance'],
  ]);
});

test.each([
  ['AlwaysAllow', 'AlwaysApprove'],
  ['DisableApprovalOnFailure', 'Decline'],
  ['RequestUserConfirmationOnFailures', 'ConfirmIfError'],
  ['RequestUserConfirmationOnWarningsAndFailures', 'ConfirmIfWarnOrError'],
  ['Decline', 'Decline'],
])('the policy %s is %s', (given, policy) => {
  expect(givenApprovalPolicySchema.parse(given)).toBe(policy);
});
