import { FileFaultError } from '@pdf2press/contract';
import { loadRegularExpressions } from '@pdf2press/settings';
import { stepFacts } from '../step-facts.ts';
import type { StepRunner } from '../step-runner.ts';
import type { renameContract } from './contract.ts';
import { namesInRename, renamed } from './renamed.ts';

export const runRename: StepRunner<typeof renameContract> = async (context) => {
  const { settings, file, session, step, reader } = context;
  const { facts } = await stepFacts(context, namesInRename(settings));
  const expressions = settings.operations.filter(({ action }) => action === 'regex');
  const regular = expressions.length > 0 ? await loadRegularExpressions() : null;
  if (expressions.some((each) => !regular?.replacer(each.expression, each)))
    throw new FileFaultError('SETTINGS_INVALID', { field: 'operations.expression' });
  // Every attempt of this step has the same id, so a step that runs again gives the same name.
  const naming = { facts, reader, regular, taken: session.otherFileNames, unique: step.id.slice(-8) };
  const { wanted, name } = renamed(file.name, settings, naming);
  const summary = { from: file.name, to: name ?? wanted };
  if (name === null)
    return { end: 'failure', failure: { code: 'RENAME_NAME_TAKEN', params: { name: wanted } }, summary };
  return { end: 'outcome', outcome: 'done', ...(name !== file.name && { renamedTo: name }), summary };
};
