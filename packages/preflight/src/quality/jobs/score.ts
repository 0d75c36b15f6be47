/** Draws whole jobs of a product, has them judged by its preset, and compares what is said with what an expert would say. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Finding } from '@pdf2press/contract';
import { openPdf, openRenderService, type RenderService } from '@pdf2press/pdf';
import { preflight } from '../../judge/preflight.ts';
import { presetOf } from '../../presets/presets.ts';
import { isDrawn, pick, type Random } from '../random/chance.ts';
import { cutLine, type Fault, type FaultName, faults, innocents, type Level } from './faults.ts';
import { conform, Job } from './job.ts';
import type { Product } from './products.ts';

interface Planted {
  name: FaultName;
  level: Level;
  about: string;
  page: number | null;
}
export interface JobTally {
  preset: string;
  files: number;
  /** Files without a fault, and those of them of which nothing was said. */
  sound: number;
  silent: number;
  planted: number;
  told: number;
  /** Of what was told: as the error or the warning that it is. */
  graded: number;
  /** Rules that were said of a file, once each, and those of them with a reason. */
  said: number;
  reasoned: number;
  misses: string[];
}

/** Faults that the boxes of a page or its background allow once only. */
const apart: readonly (readonly FaultName[])[] = [
  ['trimOutsideMedia', 'trimAndArt', 'wrongSize', 'noBleedBox', 'rotatedPage'],
  ['formField', 'comment'],
  ['noCut', 'cutKnocksOut', 'filledCut'],
  ['tooManyPages', 'notMultiple', 'emptyPage', 'rotatedPage', 'wrongSize'],
  [
    'noBleed',
    'littleBleed',
    'ratherLittleBleed',
    'whiteGap',
    'whiteOverBleed',
    'noBleedBox',
    'bandedGradient',
    'trimOutsideMedia',
  ],
  ['smallCode', 'crowdedCode', 'paleCode', 'reversedCode'],
];
/** Faults that take a page as a whole: they are planted before others, which go elsewhere. */
const ofPages: readonly FaultName[] = [
  'rotatedPage',
  'emptyPage',
  'scannedPage',
  'wrongSize',
  'tooManyPages',
  'notMultiple',
];
const contradicts = (one: FaultName, others: readonly FaultName[]): boolean =>
  others.includes(one) || apart.some((group) => group.includes(one) && others.some((other) => group.includes(other)));

export function drawJob(product: Product, random: Random): { job: Job; planted: Planted[]; innocent: string[] } {
  const job = new Job(pick(random, product.layouts));
  const { needs } = product;
  if (product.isStandard) conform(job);
  job.variables = product.variables ?? {};
  const count = pick(random, product.pages);
  for (let page = 0; page < count; page += 1)
    job.dress(job.page(), random, Math.max(needs.text * 1.05, needs.text + 3));
  const names = Object.keys(product.faults) as FaultName[];
  const chosen: FaultName[] = [];
  for (let wanted = isDrawn(random, 0.25) ? 0 : 1 + Math.floor(random() * 4); chosen.length < wanted; ) {
    const name = pick(random, names);
    if (contradicts(name, chosen)) wanted -= 1;
    else chosen.push(name);
  }
  const harmless = (product.harmless ?? []).filter((name) => isDrawn(random, 0.3) && !contradicts(name, chosen));
  const hasCut = chosen.some((name) => ['noCut', 'cutKnocksOut', 'filledCut'].includes(name));
  if (needs.cut !== undefined && !hasCut) cutLine(job, random, needs);
  const planted: Planted[] = [];
  const innocent: string[] = [];
  const takesPage = (name: FaultName) => ofPages.includes(name);
  for (const name of [...chosen, ...harmless].sort((a, b) => Number(takesPage(b)) - Number(takesPage(a)))) {
    const done = faults[name].plant(job, random, needs);
    if (done && chosen.includes(name)) planted.push({ name, level: product.faults[name] ?? 'Warn', ...done });
    else if (done) innocent.push(`${done.about} (page ${done.page})`);
  }
  for (let more = 2 + Math.floor(random() * 4); more > 0; more -= 1) {
    const done = innocents[pick(random, Object.keys(innocents))]?.(job, random, needs);
    if (done) innocent.push(`${done.about} (page ${done.page})`);
  }
  for (const page of job.pages) job.marks(page, random);
  return { job, planted, innocent };
}

async function judged(file: string, key: string, variables: Record<string, string> | undefined): Promise<Finding[]> {
  const profile = presetOf(key)?.profile;
  if (!profile) throw new Error(key);
  const pdf = openPdf({ path: file });
  let service: RenderService | null = null;
  try {
    const report = await preflight({
      file: pdf,
      fileName: 'job.pdf',
      sha256: '',
      profile,
      services: {
        render: () => {
          service ??= openRenderService({ path: file, workDir: path.dirname(file) });
          return service;
        },
      },
      ...(variables && { variables }),
    });
    return report.findings.filter(({ severity }) => severity !== 'Info');
  } finally {
    (service as RenderService | null)?.close();
    pdf.close();
  }
}

/** Rules that may be said of a fault. */
const reasonsOf = (name: FaultName): readonly string[] => {
  const { told, also = [] }: Fault = faults[name];
  return [...told, ...also];
};

const isOn = ({ page, pages }: Finding, wanted: number | null): boolean =>
  wanted === null || page === null || page === wanted || pages?.includes(wanted) === true;

/** Draws and judges so many jobs; equal numbers draw equal jobs. `keep` is told of each file that went wrong. */
export async function tallyOf(
  product: Product,
  count: number,
  random: Random,
  file: string,
  keep?: (at: number) => void,
): Promise<JobTally> {
  const tally: JobTally = {
    preset: product.preset,
    ...{ files: 0, sound: 0, silent: 0, planted: 0, told: 0, graded: 0, said: 0, reasoned: 0, misses: [] },
  };
  for (let at = 0; at < count; at += 1) {
    const { job, planted, innocent } = drawJob(product, random);
    writeFileSync(file, job.bytes());
    const findings = await judged(file, product.preset, product.variables);
    const misses: string[] = [];
    tally.files += 1;
    if (planted.length === 0) {
      tally.sound += 1;
      if (findings.length === 0) tally.silent += 1;
    }
    for (const { name, level, about, page } of planted) {
      const own = findings.filter((one) => faults[name].told.includes(one.ruleKey) && isOn(one, page));
      tally.planted += 1;
      if (own.length === 0) {
        misses.push(`missed: ${name}, ${about}`);
        continue;
      }
      tally.told += 1;
      const isGraded = own.some(({ severity }) => severity === level);
      if (isGraded) tally.graded += 1;
      else misses.push(`told as ${own[0]?.severity === 'Fail' ? 'an error' : 'a warning'}: ${name}, ${about}`);
    }
    const reasons = new Set(planted.flatMap(({ name }) => reasonsOf(name)));
    const rules = new Map(findings.map((finding) => [finding.ruleKey, finding]));
    for (const [rule, finding] of rules) {
      tally.said += 1;
      if (reasons.has(rule)) tally.reasoned += 1;
      else
        misses.push(
          `without reason: ${rule} on page ${finding.page ?? finding.pages?.join(', ')} ${JSON.stringify(finding.measured ?? {})} ${JSON.stringify(finding.params)} ${finding.box?.map(Math.round)}; there: ${[...planted.map(({ about, page }) => `${about} (${page})`), ...innocent].join(', ')}`,
        );
    }
    if (misses.length > 0) keep?.(at);
    tally.misses.push(...misses.map((miss) => `${product.preset}, job ${at}: ${miss}`));
  }
  return tally;
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((part / whole) * 1000) / 10} %`;

/** A row of the table for a preset, and what went wrong with it. */
export function jobsLines({ preset, misses, ...tally }: JobTally): string[] {
  const { files, sound, silent, planted, told, graded, said, reasoned } = tally;
  const cells = [
    preset,
    files,
    planted,
    percent(told, planted),
    percent(graded, told),
    said,
    percent(reasoned, said),
    `${silent} of ${sound}`,
  ];
  return [`| ${cells.join(' | ')} |`, ...misses.map((miss) => `- ${miss}`)];
}

/** The lines of all presets below the head of their table: rows, then what went wrong. */
export function jobsText(lines: readonly string[]): string {
  const of = (start: string) =>
    lines.filter((line) => line.startsWith(start)).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const misses = of('- ');
  return [
    '| Preset | files | faults | told | as error or warning | rules said | with reason | nothing said of files without fault |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...of('| '),
    '',
    ...(misses.length > 0 ? ['What went wrong:', '', ...misses] : ['Nothing went wrong.']),
    '',
  ].join('\n');
}
