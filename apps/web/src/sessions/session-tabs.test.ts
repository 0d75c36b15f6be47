import { expect, test } from 'vitest';
import { openingTab, tabsOf } from './session-tabs.ts';

const withSteps = (...kinds: ('Inject' | 'Preflight' | 'Fix' | 'Proof' | 'Complete')[]) => ({
  steps: kinds.map((kind) => ({ kind })),
});

test('a session opens on its findings, or on its fixes if nothing was checked', () => {
  expect(openingTab(withSteps('Inject', 'Preflight', 'Fix', 'Complete'))).toBe('findings');
  expect(openingTab(withSteps('Inject', 'Fix', 'Complete'))).toBe('fixes');
  expect(openingTab(withSteps('Inject', 'Complete'))).toBe('findings');
  expect(openingTab(withSteps())).toBe('findings');
});

test('the tabs of fixes and proofs exist if such a step has run', () => {
  expect(tabsOf(withSteps('Inject', 'Preflight'))).toEqual(['findings', 'files', 'variables', 'messages', 'log']);
  expect(tabsOf(withSteps('Preflight'), true)).toEqual([
    'findings',
    'files',
    'variables',
    'messages',
    'comments',
    'log',
  ]);
  expect(tabsOf(withSteps('Fix'))).toEqual(['findings', 'fixes', 'files', 'variables', 'messages', 'log']);
  expect(tabsOf(withSteps('Preflight', 'Proof'))).toEqual([
    'findings',
    'proofs',
    'files',
    'variables',
    'messages',
    'log',
  ]);
});
