import { contractMessages } from '@pdf2press/contract';
import { loadRegularExpressions, type RegularExpressions } from '@pdf2press/settings';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { checkWorkflow } from './contracts.ts';
import { brokenWorkflows, soundProfileId, soundWorkflow, toldAtGestureOnly } from './testing.ts';

/** Sentences about workflows that no check of a draft says. */
const saidElsewhere = [
  // To whoever hands in a file, publishes or imports.
  ...[
    'notPublished',
    'disabled',
    'invalid_one',
    'invalid_other',
    'importInvalid',
    'importDamaged',
    'wayOff',
    'variableMissing',
  ],
  ...['exportNewer', 'tooManySteps', 'tooManyConnections', 'tooManyVariables'],
  // Every kind of this release runs.
  'kindNotRunnable',
  // Needs a stored proof profile.
  'proofExitMissing',
  // Need organizations that things are made for; the API's tests of these reach them.
  ...['profileElsewhere', 'targetElsewhere'],
].map((name) => `workflow.${name}`);

let regular: RegularExpressions;
beforeAll(async () => {
  regular = await loadRegularExpressions();
});

/** Kinds of ways in belong to another package: here one that is called as one of its is. */
const sources = { folder: { settings: z.strictObject({ path: z.string().min(1) }), isPolled: true } };
const around = {
  sources,
  name: 'A',
  profileIds: { preflight: new Set([soundProfileId]) },
  features: new Set<never>(),
};

test('the workflow that the broken ones are made of breaks no rule', () => {
  expect(checkWorkflow(soundWorkflow(), around, regular)).toEqual([]);
});

test('every sentence about what is wrong with a workflow has a workflow that breaks the rule', () => {
  const reached = new Set([...brokenWorkflows.map(({ code }) => code), ...toldAtGestureOnly, ...saidElsewhere]);
  const sentences = Object.keys(contractMessages.en).filter((key) => /^(workflow|rule|placeholder)\./.test(key));
  expect(sentences.filter((key) => !reached.has(key))).toEqual([]);
});

test.each(brokenWorkflows.filter(({ isKnownToServerOnly }) => !isKnownToServerOnly))(
  '$code is told where it is ($where)',
  ({ code, definition, where, name = 'A' }) => {
    const found = checkWorkflow(definition(), { ...around, name }, regular);
    expect(found).toContainEqual(expect.objectContaining({ code, ...where }));
  },
);
