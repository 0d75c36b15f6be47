import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ErrorParams, FileFaultError, type FixReport, type PreflightReport } from '@pdf2press/contract';
import type { StepFile } from '../step.ts';
import type { StepRunner } from '../step-runner.ts';
import { drawMade } from '../thumbnails.ts';
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

export const runFix: StepRunner<typeof fixContract> = async ({ file, profile, session, workDir, readMade }, tools) => {
  if (!profile) throw new FileFaultError('SETTINGS_INVALID', { field: 'profileId' });
  const report = await tools.runTask(
    'fix',
    {
      path: file.path,
      fileName: file.name,
      profile: profile.settings,
      profileId: profile.id,
      profileVersion: profile.version,
      variables: session.variables,
      // Written by our own preflight step of this run.
      preflightReport: ((await readMade('preflightReport')) as PreflightReport | undefined) ?? null,
      out: path.join(workDir, made),
    },
    { folder: 'fix' },
  );
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
    files.push(...(await drawMade(tools, { workDir, made })));
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
};
