import { approvalNeeds, approvalPolicies, givenApprovalPolicySchema, resultLevels } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { outcomeOf, type Rules, turnOf } from './outcome.ts';

const votes = { A: 'Approved', D: 'Declined', _: null } as const;
/** Voters by one letter each; gatekeepers stand before a bar. */
const votersOf = (text: string) => {
  const gate = text.indexOf('|');
  return [...text].flatMap((vote, at) =>
    vote === '|' ? [] : [{ at, decision: votes[vote as keyof typeof votes], isGatekeeper: at < gate }],
  );
};
const rules: Rules = { mode: 'Any', quorum: 1, asksOthers: true, lacksGatekeeper: false };

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
  expect(outcomeOf({ ...rules, mode, quorum }, votersOf(given))).toBe(outcome);
});

test.each([
  // The others do not count before every gatekeeper has approved, whatever they said.
  ['Any', 1, '_|__', null],
  ['Any', 1, 'A|__', null],
  ['Any', 1, 'A_|A_', null],
  ['Any', 1, '_|D', null],
  ['Any', 1, 'A|A_', 'Approved'],
  ['Any', 1, 'AA|D_', 'Declined'],
  ['All', 1, '_|AA', null],
  ['All', 1, 'A|A_', null],
  ['All', 1, 'A|AA', 'Approved'],
  ['All', 1, 'A|AD', 'Declined'],
  ['Sequence', 1, 'A|A_', null],
  ['Sequence', 1, 'A|AA', 'Approved'],
  // The approvals of gatekeepers are none of the quorum.
  ['Quorum', 2, 'AA|A__', null],
  ['Quorum', 2, 'A|AA_', 'Approved'],
  ['Quorum', 2, 'A|DD_', 'Declined'],
  ['Quorum', 2, '_|AAA', null],
  // One gatekeeper who declines ends it in every mode.
  ['Any', 1, 'D|A_', 'Declined'],
  ['Any', 1, 'AD|', 'Declined'],
  ['All', 1, 'D|__', 'Declined'],
  ['Quorum', 2, 'D_|AA', 'Declined'],
  ['Sequence', 1, 'D|__', 'Declined'],
] as const)('%s of %i with gatekeepers: %s makes %s', (mode, quorum, given, outcome) => {
  expect(outcomeOf({ ...rules, mode, quorum }, votersOf(given))).toBe(outcome);
});

test.each(['Any', 'All', 'Quorum', 'Sequence'] as const)(
  '%s: where all are gatekeepers, all must approve; they approve nothing where the others are missing',
  (mode) => {
    const onlyGatekeepers = { ...rules, mode, quorum: 1, asksOthers: false };
    expect(outcomeOf(onlyGatekeepers, votersOf('A_|'))).toBeNull();
    expect(outcomeOf(onlyGatekeepers, votersOf('AA|'))).toBe('Approved');
    expect(outcomeOf(onlyGatekeepers, votersOf('AA|_'))).toBeNull();
    expect(outcomeOf({ ...rules, mode }, votersOf('AA|'))).toBeNull();
    expect(outcomeOf({ ...rules, mode, lacksGatekeeper: true }, votersOf('AA'))).toBeNull();
  },
);

test.each([
  ['Any', '___', [0, 1, 2]],
  ['All', 'A__', [1, 2]],
  ['Sequence', '___', [0]],
  ['Sequence', 'A__', [1]],
  ['Any', '__|__', [0, 1]],
  ['All', 'A_|__', [1]],
  ['Quorum', 'AA|__', [3, 4]],
  ['Sequence', '__|__', [0, 1]],
  ['Sequence', '_A|__', [0]],
  ['Sequence', 'AA|__', [3]],
  ['Sequence', 'AA|A_', [4]],
  ['Any', 'AA|AA', []],
] as const)('%s: %s asks those at %j', (mode, given, turn) => {
  expect(turnOf({ ...rules, mode }, votersOf(given)).map(({ at }) => at)).toEqual(turn);
});

test('nobody is asked while the gatekeepers of the profile stand for nobody', () => {
  expect(turnOf({ ...rules, lacksGatekeeper: true }, votersOf('__'))).toEqual([]);
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
