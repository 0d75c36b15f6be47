import type { WorkflowVariable } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import type { StepContract } from './step.ts';
import { stepContracts } from './step-contracts.ts';

const variables = ['Copies', 'product'].map((name) => ({
  name,
  type: 'String',
  options: [],
})) as unknown as WorkflowVariable[];

test.each([
  ['Preflight', { variables: { 'PageCount.max': '2 * copies' } }, []],
  ['Preflight', { variables: { 'PageCount.max': '2 * sheets', 'PageCount.min': 'sheets' } }, ['sheets']],
  ['Fix', { actions: [{ key: 'AddText', settings: { text: '{{page.no}} {{product}} {{copies}}' } }] }, []],
  ['Fix', { actions: [{ key: 'AddText', settings: { text: '{{page.no}} {{paper}}' } }] }, ['paper']],
  [
    'Fix',
    { actions: [{ key: 'AddText', when: { is: 'Expression', expression: 'copies > 1 and paper = "matt"' } }] },
    ['paper'],
  ],
  [
    'Impose',
    { marks: { slug: { text: '{{sheet.no}} {{product}} {{paper}}' } }, variables: { copies: 'copies' } },
    ['paper'],
  ],
  ['Impose', { variables: { title: 'file.name' } }, []],
] as const)('%s with the profile %j lacks %j', (kind, profile, lacking) => {
  const contract: StepContract = stepContracts[kind];
  const about = { settings: {}, variables, assigneeIds: new Set<string>() };
  const issues = contract.checkProfile?.(profile as Record<string, unknown>, about) ?? [];
  expect(issues.map(({ params }) => params?.name)).toEqual(lacking);
  expect(new Set(issues.map(({ field }) => field))).toEqual(new Set(lacking.length > 0 ? ['profileId'] : []));
});
