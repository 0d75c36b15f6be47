import { deliveriesOf } from '../deliveries.ts';
import { shownEffect } from '../message.ts';
import { nameFile, rulesOf } from '../name-file.ts';
import type { ResultFile, StepContext, StepInput } from '../step.ts';
import type { StepRunner } from '../step-runner.ts';
import type { completeContract } from './contract.ts';

type Chosen = Omit<StepInput, 'path'>;

/** Files with the same bytes are one: the newest row of them has the name that counts. */
const eachOnce = (files: readonly Chosen[]): Chosen[] =>
  files.filter(({ sha256 }, at) => files.findLastIndex((other) => other.sha256 === sha256) === at);

/** The files that the settings name; the file as it is now where there are none. */
async function chosenFiles({
  settings: { files, step },
  file,
  readFiles,
}: Parameters<StepRunner<typeof completeContract>>[0]): Promise<readonly Chosen[]> {
  if (files === 'latest') return [file];
  const made = await readFiles();
  const chosen = eachOnce(files === 'all' ? made : made.filter(({ stepId }) => stepId === step));
  return chosen.length > 0 ? chosen : [file];
}

/** The names of the files; the first that is taken where the rules refuse it. */
async function namesOf(
  context: StepContext,
  files: readonly Chosen[],
): Promise<{ result: ResultFile[]; refused?: string }> {
  const rules = rulesOf(context.profile);
  const result: ResultFile[] = [];
  for (const file of files) {
    const { wanted, name } = await nameFile(context, rules, { file, taken: result.map((other) => other.name) });
    if (name === null) return { result, refused: wanted };
    result.push({ id: file.id, name });
  }
  return { result };
}

export const runComplete: StepRunner<typeof completeContract> = async (context) => {
  const { settings, session } = context;
  const files = await chosenFiles(context);
  const { result, refused } =
    settings.profileId === null
      ? { result: files.map(({ id, name }): ResultFile => ({ id, name })), refused: undefined }
      : await namesOf(context, files);
  const summary = { files: result.map(({ name }) => name) };
  if (refused !== undefined)
    return { end: 'failure', failure: { code: 'RENAME_NAME_TAKEN', params: { name: refused } }, summary };
  const hasWarnings = [session.result, session.arrivalResult].some((level) => level === 'Warning' || level === 'Error');
  const status = settings.followsPreflight && hasWarnings ? 'CompletedWithWarnings' : 'Completed';
  const named = files.map((file, at) => ({ ...file, name: result[at]?.name ?? file.name }));
  // The session ends whether the files arrive or not; what cannot be delivered is told, and sent again by hand.
  const effects = await deliveriesOf(context, settings.deliveries, { result: named, maxTries: null });
  return {
    end: 'session',
    status,
    decisions: { result },
    effects,
    summary: { ...summary, ...(effects.length > 0 && { sent: effects.map(shownEffect) }) },
  };
};
