import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ErrorParams, FileFaultError, type FixReport, type PreflightReport } from '@pdf2press/contract';
import type { TaskTable } from '@pdf2press/tasks';
import { embedsFonts, fontsEmbedded } from '@pdf2press/tasks/fix-fonts';
import type { ProfileSnapshot, StepContext, StepFile, StepFont, StepResult } from '../step.ts';
import type { StepRunner, StepTools } from '../step-runner.ts';
import { drawMade, picturesIn } from '../thumbnails.ts';
import type { fixContract } from './contract.ts';

const made = 'fixed.pdf';

/** Which action failed that must not, and why: the parameters of FIX_FAILED, with those of its sentence. */
function failureOf({ actions }: FixReport): ErrorParams {
  // Those before it failed, too, but were allowed to.
  const { action = '', reason = null } = actions.findLast(({ outcome }) => outcome === 'Failed') ?? {};
  const said = Object.entries(reason?.params ?? {}).map(([name, value]): [string, ErrorParams[string]] => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  return { ...Object.fromEntries(said), action, reason: reason?.code ?? '' };
}

/** The names of fonts that the file lacks, if the profile embeds fonts. */
async function fontsLacking(
  { file, profile }: Pick<StepContext, 'file' | 'profile'>,
  tools: Pick<StepTools, 'runTask'>,
): Promise<string[]> {
  if (!profile || !embedsFonts(profile.settings) || file.mediaType !== 'application/pdf') return [];
  const { fonts } = await tools.runTask('inspect', { path: file.path }, { folder: 'inspect' });
  return [...new Set(fonts.filter(({ embedded }) => !embedded).map(({ name }) => name))];
}

export const runFix: StepRunner<typeof fixContract> = async (context, tools) => {
  const { profile } = context;
  if (!profile) throw new FileFaultError('SETTINGS_INVALID', { field: 'profileId' });
  return context.withFonts(
    () => fontsLacking(context, tools),
    async (fonts) => {
      const report = await runProfile({ ...context, profile, fonts }, tools);
      const names = fontsEmbedded(report);
      const used = fonts.filter(({ postScriptName }) => names.includes(postScriptName));
      if (used.length > 0) await context.noteFontsUsed(used.map(({ id }) => id));
      return resultOf(report, { ...context, profile }, tools);
    },
  );
};

type FixContext = StepContext & { profile: ProfileSnapshot };

const runProfile = async (
  { file, profile, session, workDir, readMade, fonts }: FixContext & { fonts: readonly StepFont[] },
  tools: StepTools,
): Promise<TaskTable['fix']['result']> =>
  tools.runTask(
    'fix',
    {
      path: file.path,
      fileName: file.name,
      profile: profile.settings,
      profileId: profile.id,
      profileVersion: profile.version,
      variables: session.variables,
      fonts: fonts.map(({ path: font }) => font),
      // Written by our own preflight step of this run.
      preflightReport: ((await readMade('preflightReport')) as PreflightReport | undefined) ?? null,
      out: path.join(workDir, made),
      pictures: picturesIn(workDir),
    },
    { folder: 'fix' },
  );

async function resultOf(
  { pictures, ...report }: TaskTable['fix']['result'],
  { file, profile, workDir }: FixContext,
  tools: StepTools,
): Promise<StepResult<'done'>> {
  await writeFile(path.join(workDir, 'fix.json'), JSON.stringify(report));
  const isChanged = report.out?.isChanged ?? false;
  const files: StepFile[] = [
    {
      kind: 'Others',
      path: 'fix.json',
      name: 'fix.json',
      mediaType: 'application/json',
      meta: { role: 'fixReport', of: file.id },
    },
  ];
  if (isChanged) {
    files.push({ kind: 'ProductionFile', path: made, name: file.name, mediaType: 'application/pdf' });
    files.push(...(await drawMade(tools, { workDir, made, pictures })));
  }
  const shown = {
    level: report.result,
    files,
    summary: {
      profile: { id: profile.id, name: profile.name, version: profile.version },
      isChanged,
      changeCount: report.changes.reduce((sum, change) => sum + change.count, 0),
      actions: report.actions.map(({ action, outcome, objects }) => ({ action, outcome, objects })),
      durationMs: report.durationMs,
    },
  };
  // The log is kept either way: it says what failed, and why.
  return report.out
    ? { end: 'outcome', outcome: 'done', ...shown }
    : { end: 'failure', failure: { code: 'FIX_FAILED', params: failureOf(report) }, ...shown };
}
