import { nameFile, rulesOf } from '../name-file.ts';
import type { StepRunner } from '../step-runner.ts';
import type { renameContract } from './contract.ts';

export const runRename: StepRunner<typeof renameContract> = async (context) => {
  const { settings, file, original, session, profile } = context;
  const rules = settings.profileId === null ? settings : rulesOf(profile);
  const namesSource = rules.scope !== 'production';
  const namesFile = rules.scope === 'production' || (rules.scope === 'all' && file.id !== original.id);
  // The file that came in and what was made of it are one document: one does not take the other's name from it.
  const besidesSource = session.otherFileNames.filter((name) => name !== original.name);
  const made = namesFile
    ? await nameFile(context, rules, { file, taken: namesSource ? besidesSource : session.otherFileNames })
    : null;
  const source = namesSource ? await nameFile(context, rules, { file: original, taken: besidesSource }) : null;
  const refused = [made, source].find((each) => each?.name === null);
  const summary = {
    from: made ? file.name : original.name,
    to: (made ?? source)?.name ?? (made ?? source)?.wanted,
    ...(made && source && { source: { from: original.name, to: source.name ?? source.wanted } }),
  };
  if (refused)
    return { end: 'failure', failure: { code: 'RENAME_NAME_TAKEN', params: { name: refused.wanted } }, summary };
  return {
    end: 'outcome',
    outcome: 'done',
    ...(made?.name && made.name !== file.name && { renamedTo: made.name }),
    ...(source?.name && source.name !== original.name && { originalRenamedTo: source.name }),
    summary,
  };
};
