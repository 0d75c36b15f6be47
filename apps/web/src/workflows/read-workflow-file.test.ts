import { soundProfileId, soundWorkflow } from '@pdf2press/steps/testing';
import { expect, test } from 'vitest';
import { readWorkflowFile } from './read-workflow-file.ts';

const document = {
  format: 'pdf2press-workflow',
  formatVersion: 1,
  name: 'Carried',
  definition: soundWorkflow(),
  profiles: [{ id: soundProfileId, kind: 'preflight', name: 'Strict', settings: {} }],
};
const file = (content: unknown, name = 'cards.workflow.json') =>
  new File([typeof content === 'string' ? content : JSON.stringify(content)], name);

test('a workflow is told by what is in the file, whatever the file is called', async () => {
  for (const name of ['cards.workflow.json', 'cards.txt', 'cards'])
    expect(await readWorkflowFile(file(document, name))).toMatchObject({ document: { name: 'Carried' } });
});

const strange = [
  ['no JSON', '%PDF-1.7'],
  ['JSON that breaks off', JSON.stringify(document).slice(0, -40)],
  ['JSON that is no object', [document]],
  ['an exported profile', { name: 'Strict', checks: [] }],
  ['another thing that the product exports', { ...document, format: 'pdf2press-fix' }],
] as const;
test.each(strange)('%s is no workflow', async (_, content) => {
  expect(await readWorkflowFile(file(content))).toEqual({ fault: { code: 'workflow.importInvalid' } });
});

test('of a newer format only that is said', async () => {
  expect(await readWorkflowFile(file({ ...document, formatVersion: 9, definition: 4, profiles: null }))).toEqual({
    fault: { code: 'workflow.exportNewer', params: { version: 9, newest: 1 } },
  });
});

const damaged = [
  ['name', { ...document, name: '' }],
  ['definition', { ...document, definition: undefined }],
  ['definition.steps.0.kind', { ...document, definition: { steps: [{ id: 'a', kind: 'Fold' }] } }],
  ['profiles.0.kind', { ...document, profiles: [{ id: 'a', kind: 'weather', name: 'A', settings: {} }] }],
] as const;
test.each(damaged)('a damaged file is told with its first wrong value: %s', async (field, content) => {
  expect(await readWorkflowFile(file(content))).toEqual({
    fault: { code: 'workflow.importDamaged', params: { field } },
  });
});

test('too many steps are told as such', async () => {
  const steps = Array.from({ length: 501 }, (_, at) => ({ id: `s${at}`, kind: 'Hold' }));
  expect(await readWorkflowFile(file({ ...document, definition: { steps } }))).toEqual({
    fault: { code: 'workflow.tooManySteps', params: { max: 500 } },
  });
});
