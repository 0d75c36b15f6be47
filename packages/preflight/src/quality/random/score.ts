/** Draws cases, has them judged by their presets, and counts what was found, missed and found without reason. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Box, Finding, PreflightReport } from '@pdf2press/contract';
import { openPdf, openRenderService, type RenderService } from '@pdf2press/pdf';
import { preflight } from '../../judge/preflight.ts';
import { presetOf } from '../../presets/presets.ts';
import { readProfile } from '../../profile/bind-variables.ts';
import type { PreflightProfile } from '../../profile/profile.ts';
import type { Random } from './chance.ts';
import type { Drawn, Family } from './family.ts';
import { DrawnFile } from './file.ts';
import { grown } from './matrix.ts';

export interface Miss {
  fault: 'missed' | 'wrongly found' | 'misplaced';
  /** The case and how it was drawn. */
  about: string;
}

export interface Tally {
  family: Family;
  breaks: number;
  keeps: number;
  found: number;
  wronglyFound: number;
  /** Findings in the right place, of those that have one to be in. */
  placed: number;
  placeable: number;
  misses: Miss[];
}

/** Pages of one file: cases of rules about single pages share it. */
const pagesOfFile = 25;

/** The profile with which a family is judged. */
function profileOf({ rule, preset, check, profile }: Family): PreflightProfile {
  if (check) return readProfile({ ...profile, checks: [{ key: check }] });
  const whole = presetOf(preset ?? '')?.profile;
  if (!whole) throw new Error(`no preset ${preset}`);
  const checks = whole.checks.filter(({ standardRules }) => Object.values(standardRules).includes(rule));
  return readProfile({ ...whole, ...profile, checks });
}

/** The report on a file of those checks of the preset that have the rule. */
async function judged(family: Family, file: string): Promise<PreflightReport> {
  const pdf = openPdf({ path: file });
  let render: RenderService | null = null;
  try {
    return await preflight({
      file: pdf,
      fileName: 'case.pdf',
      sha256: '',
      profile: profileOf(family),
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

const contains = (outer: Box, inner: Box): boolean =>
  outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];

/** Whether a finding marks the object: all of it but 1.5 points, and at most its margin more. */
function isPlaced(finding: Finding, { box, margin = 2 }: Drawn): boolean {
  if (!box) return true;
  return [finding.box, ...(finding.boxes ?? [])].some(
    (marked) => marked && contains(grown(marked, 1.5), box) && contains(grown(box, margin), marked),
  );
}

function faultOf(breaks: boolean, isFound: boolean, isMarked: boolean): Miss['fault'] | null {
  if (breaks !== isFound) return breaks ? 'missed' : 'wrongly found';
  return breaks && !isMarked ? 'misplaced' : null;
}

/** Draws and judges `count` cases of a family; equal numbers draw equal cases. */
export async function tallyOf(family: Family, count: number, random: Random, directory: string): Promise<Tally> {
  const tally: Tally = { family, breaks: 0, keeps: 0, found: 0, wronglyFound: 0, placed: 0, placeable: 0, misses: [] };
  mkdirSync(directory, { recursive: true });
  const onFile = family.isOfFile ? 1 : pagesOfFile;
  for (let first = 0; first < count; first += onFile) {
    const file = new DrawnFile();
    const cases = Array.from({ length: Math.min(onFile, count - first) }, () => family.draw(file, random));
    const name = path.join(directory, 'case.pdf');
    writeFileSync(name, file.bytes());
    const { findings } = await judged(family, name);
    const failed = findings.find(({ ruleKey }) => ruleKey === 'Preflight.cannotEvaluate');
    if (failed) throw new Error(`${family.rule}: ${JSON.stringify(failed.params)}`);
    const ofRule = findings.filter(
      ({ standardRule, ruleKey }) => family.rule === (family.check ? ruleKey : standardRule),
    );
    for (const [at, drawn] of cases.entries()) {
      const own = ofRule.filter(
        ({ page, pages }) => family.isOfFile || page === null || page === at + 1 || pages?.includes(at + 1),
      );
      const isFound = own.length > 0;
      tally[drawn.breaks ? 'breaks' : 'keeps'] += 1;
      if (isFound) tally[drawn.breaks ? 'found' : 'wronglyFound'] += 1;
      const isMarked = own.some((finding) => isPlaced(finding, drawn));
      if (drawn.breaks && isFound && drawn.box) {
        tally.placeable += 1;
        if (isMarked) tally.placed += 1;
      }
      const fault = faultOf(drawn.breaks, isFound, isMarked);
      if (fault) tally.misses.push({ fault, about: `case ${first + at}: ${drawn.about}` });
    }
  }
  rmSync(directory, { recursive: true, force: true });
  return tally;
}

/** What was missed, wrongly found or misplaced, a line each. */
export const missesOf = ({ family: { rule }, misses }: Tally): string[] =>
  misses.map(({ fault, about }) => `${rule} ${fault}: ${about}`);

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((part / whole) * 1000) / 10} %`;

/** The scores as Markdown: a row per family. */
export function scoresText(tallies: readonly Tally[]): string {
  const rows = tallies.map(({ family, breaks, keeps, found, wronglyFound, placed, placeable }) =>
    [
      '',
      family.rule.replace('GWG2022:', ''),
      family.wording,
      breaks,
      keeps,
      percent(found, found + wronglyFound),
      percent(found, breaks),
      percent(placed, placeable),
      '',
    ]
      .join(' | ')
      .trim(),
  );
  return [
    '| Rule | what breaks it | breaks it | keeps it | precision | recall | right place |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    '',
  ].join('\n');
}

/** What went wrong in all of them as a list in Markdown. */
export const missesText = (tallies: readonly Tally[]): string =>
  `${tallies
    .flatMap(missesOf)
    .map((miss) => `- ${miss}`)
    .join('\n')}\n`;
