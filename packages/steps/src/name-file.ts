/* The door `@pdf2press/steps/rename`: the name that a file of a session gets, for steps and for a preview. */
import { FileFaultError, type SettingIssue } from '@pdf2press/contract';
import { knownNames, loadRegularExpressions, type RegularExpressions } from '@pdf2press/settings';
import { type RenameRules, renameIssues, renameProfileSchema } from './naming-rules.ts';
import { namesInRename, renamed } from './renamed.ts';
import type { KnownOfSession, ProfileSnapshot } from './step.ts';
import { stepFacts } from './step-facts.ts';

/**
 * The rules of a profile as it was when the workflow was published.
 * @throws FileFaultError `SETTINGS_INVALID` when the settings of a step name a profile that its version does not hold
 */
export function rulesOf(profile: ProfileSnapshot | undefined): RenameRules {
  const read = renameProfileSchema.safeParse(profile?.settings);
  if (!read.success) throw new FileFaultError('SETTINGS_INVALID', { field: 'profileId' });
  return read.data;
}

/** The engine for regular expressions, where the rules have any. */
const regularOf = async ({ operations }: RenameRules): Promise<RegularExpressions | null> =>
  operations.some(({ action }) => action === 'regex') ? loadRegularExpressions() : null;

/** What is wrong with the operations of rules, regular expressions included. */
export const expressionIssues = async (rules: RenameRules): Promise<SettingIssue[]> =>
  renameIssues(rules, { known: knownNames(), regular: await regularOf(rules) });

/**
 * The name of one file of a session by its rules; what texts say of the file is said of this one.
 * @param taken names that it must not get, where the rules say so
 * @throws FileFaultError `SETTINGS_INVALID` for a regular expression that cannot be read
 */
export async function nameFile(
  context: KnownOfSession,
  rules: RenameRules,
  { file, taken }: { file: KnownOfSession['file']; taken: readonly string[] },
): Promise<ReturnType<typeof renamed>> {
  const { facts } = await stepFacts({ ...context, file }, namesInRename(rules));
  const regular = await regularOf(rules);
  const expressions = rules.operations.filter(({ action }) => action === 'regex');
  if (expressions.some((each) => !regular?.replacer(each.expression, each)))
    throw new FileFaultError('SETTINGS_INVALID', { field: 'operations.expression' });
  // Every attempt of this step has the same id, so a step that runs again gives the same name.
  return renamed(file.name, rules, {
    facts,
    reader: context.reader,
    regular,
    taken,
    unique: context.step.id.slice(-8),
  });
}
