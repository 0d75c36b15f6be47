import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError, type PreflightReport } from '@pdf2press/contract';
import { checkContracts, checkKeys } from '@pdf2press/preflight/contracts';
import type { ProfileSnapshot } from '../step.ts';
import type { StepRunner } from '../step-runner.ts';
import type { preflightContract } from './contract.ts';

export const runPreflight: StepRunner<typeof preflightContract> = async (
  { file, profile, session, reader, workDir, readMadeBefore },
  tools,
) => {
  if (!profile) throw new FileFaultError('SETTINGS_INVALID', { field: 'profileId' });
  const before = compares(profile)
    ? ((await readMadeBefore('preflightReport')) as PreflightReport | undefined)
    : undefined;
  const report = await tools.runTask('preflight', {
    path: file.path,
    fileName: file.name,
    sha256: file.sha256,
    profile: profile.settings,
    profileId: profile.id,
    profileVersion: profile.version,
    variables: session.variables,
    ...(before?.remembered && { before: before.remembered }),
    findingsText: { locale: reader.locale },
  });
  await writeFile(path.join(workDir, 'preflight.json'), JSON.stringify(report));
  return {
    end: 'outcome',
    outcome: 'done',
    level: report.result,
    findings: report.findings,
    counts: report.counts,
    checks: report.checks,
    pageCount: report.pageCount,
    summary: {
      profile: { id: profile.id, name: profile.name, version: profile.version },
      durationMs: report.durationMs,
    },
    files: [
      {
        kind: 'Others',
        path: 'preflight.json',
        name: 'preflight.json',
        mediaType: 'application/json',
        meta: { role: 'preflightReport', of: file.id },
      },
    ],
  };
};

/** Whether a profile compares the file with the version before. */
const compares = ({ settings: { checks } }: ProfileSnapshot): boolean =>
  Array.isArray(checks) &&
  checks.some(
    ({ key, enabled }: { key?: unknown; enabled?: unknown }) =>
      enabled !== false && comparing.some((one) => one === key),
  );

const comparing = checkKeys.filter((key) => checkContracts[key].comparesVersions);
