/** Runs the rule cases and counts: what should be found and is, what is found and should not be. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openPdf, openRenderService, type RenderService } from '@pdf2press/pdf';
import { readProfile } from '../bind-variables.ts';
import { preflight } from '../preflight.ts';
import { type Doc, noVerdict, pdfOf, sameVerdict } from './doc.ts';
import type { RuleCase } from './rule-case.ts';

export interface Score {
  truePositive: number;
  falsePositive: number;
  falseNegative: number;
  trueNegative: number;
}
export interface Miss {
  rule: string;
  variant: string;
  expected: boolean;
  detail: string;
}

interface Trial {
  doc: Doc;
  variant: string;
  expected: boolean;
}

export function trialsOf(ruleCase: RuleCase): Trial[] {
  const { breaks, passes, kind } = ruleCase;
  const told = kind === 'page' ? { plain: sameVerdict.plain } : sameVerdict;
  const trials = Object.entries(told).flatMap(([variant, tell]) =>
    tell
      ? [
          { doc: tell(breaks), variant, expected: true },
          { doc: tell(passes), variant, expected: false },
        ]
      : [],
  );
  if (kind !== 'object') return trials;
  return [
    ...trials,
    ...Object.entries(noVerdict).map(([variant, tell]) => ({ doc: tell(breaks), variant, expected: false })),
  ];
}

/** Whether a rule reports on a document, and what it said. */
export async function finds(
  ruleCase: RuleCase,
  doc: Doc,
  directory: string,
): Promise<{ found: boolean; detail: string }> {
  const [key = ''] = ruleCase.rule.split('.');
  const file = path.join(directory, 'case.pdf');
  writeFileSync(file, pdfOf(doc));
  const pdf = openPdf({ path: file });
  let render: RenderService | null = null;
  try {
    const settings =
      key === 'DocumentIntegrity' ? { renderTest: { isOn: false }, ...ruleCase.settings } : (ruleCase.settings ?? {});
    const report = await preflight({
      file: pdf,
      fileName: 'case.pdf',
      sha256: '',
      profile: readProfile({
        boxPolicy: { onMissingTrim: 'Off' },
        checks: [{ key, settings, severities: ruleCase.severities ?? {} }],
      }),
      services: {
        render: () => {
          render ??= openRenderService({ path: file, workDir: directory });
          return render;
        },
      },
    });
    const found = report.findings.some((finding) => finding.ruleKey === ruleCase.rule);
    const failed = report.findings.find((finding) => finding.ruleKey === 'Preflight.cannotEvaluate');
    const others = report.findings.map((finding) => `${finding.ruleKey} ${JSON.stringify(finding.measured?.value)}`);
    return { found, detail: failed ? `not evaluated: ${failed.params.reason}` : others.join('; ') };
  } finally {
    (render as RenderService | null)?.close();
    pdf.close();
  }
}

/** Runs every trial of the cases. */
export async function measure(cases: readonly RuleCase[]): Promise<{ scores: Map<string, Score>; misses: Miss[] }> {
  const scores = new Map<string, Score>();
  const misses: Miss[] = [];
  const directory = mkdtempSync(path.join(os.tmpdir(), 'preflight-quality-'));
  try {
    for (const ruleCase of cases) {
      const score = scores.get(ruleCase.rule) ?? {
        truePositive: 0,
        falsePositive: 0,
        falseNegative: 0,
        trueNegative: 0,
      };
      scores.set(ruleCase.rule, score);
      for (const { doc, variant, expected } of trialsOf(ruleCase)) {
        const { found, detail } = await finds(ruleCase, doc, directory);
        if (found !== expected) misses.push({ rule: ruleCase.rule, variant, expected, detail });
        score[expected ? (found ? 'truePositive' : 'falseNegative') : found ? 'falsePositive' : 'trueNegative'] += 1;
      }
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return { scores, misses };
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((part / whole) * 1000) / 10} %`;

/** The table as Markdown: one line per rule. */
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
