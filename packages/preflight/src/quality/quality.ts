/** Runs the rule cases and counts true and false findings. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { PreflightReport } from '@pdf2press/contract';
import { openPdf, openRenderService, type RenderService } from '@pdf2press/pdf';
import type { CheckKey } from '../checks/contracts.ts';
import { preflight } from '../judge/preflight.ts';
import { readProfile } from '../profile/bind-variables.ts';
import { type Doc, inWhite, noFindings, pdfOf, sameFindings, tiled } from './doc.ts';
import type { RuleCase } from './rule-case.ts';

export interface Score {
  truePositive: number;
  falsePositive: number;
  falseNegative: number;
  trueNegative: number;
}
export interface Trial {
  doc: Doc;
  variant: string;
  expected: boolean;
}

/** The documents of a case with the expected result. */
export function trialsOf({ breaks, passes, kind, countsInWhite }: RuleCase<CheckKey>): Trial[] {
  const told = kind === 'page' ? { plain: (doc: Doc) => doc } : sameFindings;
  const trials = Object.entries(told).flatMap(([variant, tell]) => [
    { doc: tell(breaks), variant, expected: true },
    { doc: tell(passes), variant, expected: false },
  ]);
  if (kind !== 'object') return trials;
  const white = inWhite(breaks);
  return [
    ...trials,
    { doc: tiled(breaks), variant: 'tiled', expected: true },
    { doc: tiled(passes), variant: 'tiled', expected: false },
    ...Object.entries(noFindings).map(([variant, tell]) => ({ doc: tell(breaks), variant, expected: false })),
    ...(white ? [{ doc: white, variant: 'white', expected: countsInWhite === true }] : []),
  ];
}

/** The report of a check on a file, with the settings of a case. */
export async function reportOf(
  key: CheckKey,
  ruleCase: Omit<RuleCase<CheckKey>, 'before'>,
  file: string,
  before?: PreflightReport['remembered'],
): Promise<PreflightReport> {
  const pdf = openPdf({ path: file });
  let render: RenderService | null = null;
  try {
    const settings =
      key === 'DocumentIntegrity' ? { renderTest: { isOn: false }, ...ruleCase.settings } : (ruleCase.settings ?? {});
    return await preflight({
      file: pdf,
      fileName: 'case.pdf',
      sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
      before,
      profile: readProfile({
        boxPolicy: { onMissingTrim: 'Off' },
        ...ruleCase.profile,
        checks: [{ key, settings, severities: ruleCase.severities ?? {} }],
      }),
      variables: ruleCase.variables,
      services: {
        render: () => {
          render ??= openRenderService({ path: file, workDir: path.dirname(file) });
          return render;
        },
      },
    });
  } finally {
    (render as RenderService | null)?.close();
    pdf.close();
  }
}

/** Whether a rule reports a document, and all findings as text for the failure message. */
async function finds(key: CheckKey, ruleCase: RuleCase<CheckKey>, doc: Doc, directory: string) {
  const file = path.join(directory, 'case.pdf');
  const write = (one: Doc) => writeFileSync(file, pdfOf(one));
  let before: PreflightReport['remembered'];
  if (ruleCase.before) {
    write(ruleCase.before);
    before = (await reportOf(key, ruleCase, file)).remembered;
  }
  write(doc);
  const report = await reportOf(key, ruleCase, file, before);
  const found = report.findings.some((finding) => finding.ruleKey === `${key}.${ruleCase.rule}`);
  const failed = report.findings.find((finding) => finding.ruleKey === 'Preflight.cannotEvaluate');
  const others = report.findings.map((finding) => `${finding.ruleKey} ${JSON.stringify(finding.measured?.value)}`);
  return { found, detail: failed ? `not evaluated: ${failed.params.reason}` : others.join('; ') };
}

/** Trials run in parallel, because rendering waits for another process. */
const lanes = 2;

/**
 * Runs the trials of the cases of a check.
 * @param taken those of a case's trials that are run; all, unless it says otherwise
 */
export async function measure(
  key: CheckKey,
  cases: readonly RuleCase<CheckKey>[],
  taken: (trials: readonly Trial[]) => readonly Trial[] = (all) => all,
): Promise<{ scores: Map<string, Score>; misses: string[] }> {
  const scores = new Map<string, Score>();
  const misses: string[] = [];
  const directory = mkdtempSync(path.join(os.tmpdir(), 'preflight-quality-'));
  const waiting = cases.flatMap((ruleCase) => taken(trialsOf(ruleCase)).map((trial) => ({ ruleCase, trial })));
  const work = async (lane: number): Promise<void> => {
    const own = path.join(directory, String(lane));
    mkdirSync(own);
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { ruleCase, trial } = next;
      const rule = `${key}.${ruleCase.rule}`;
      const score = scores.get(rule) ?? { truePositive: 0, falsePositive: 0, falseNegative: 0, trueNegative: 0 };
      scores.set(rule, score);
      const { found, detail } = await finds(key, ruleCase, trial.doc, own);
      const { expected, variant } = trial;
      if (found !== expected) misses.push(`${rule} ${variant}: ${expected ? 'missed' : 'wrongly found'} (${detail})`);
      score[expected ? (found ? 'truePositive' : 'falseNegative') : found ? 'falsePositive' : 'trueNegative'] += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return { scores, misses };
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((part / whole) * 1000) / 10} %`;

/** The scores as a Markdown table with a row per rule. */
export function qualityTable(scores: ReadonlyMap<string, Score>): string {
  const rows = [...scores]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([rule, score]) => {
      const { truePositive, falsePositive, falseNegative, trueNegative } = score;
      const found = truePositive + falsePositive;
      return `| ${rule} | ${truePositive + falseNegative} | ${trueNegative + falsePositive} | ${percent(truePositive, found)} | ${percent(truePositive, truePositive + falseNegative)} |`;
    });
  return ['| Rule | breaks it | keeps it | precision | recall |', '| --- | ---: | ---: | ---: | ---: |', ...rows].join(
    '\n',
  );
}
