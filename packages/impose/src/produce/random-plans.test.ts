import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isNight } from '@pdf2press/config/by-day';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type Job, jobs } from './testing/jobs.ts';
import { judge } from './testing/judge.ts';
import { PaperFault, type Print, type Vector } from './testing/paper.ts';
import { type PrintedSheet, print } from './testing/press.ts';

/*
 * Random jobs are imposed, their PDFs read as printed paper, and made into products by a bindery that shares no code with
 * the planner. A fault shows its seed and its job; at night, when ten thousand are made, the smallest job that has it.
 */

const runs = Number(process.env.BINDERY_RUNS ?? 100);
/** Equal seeds make equal jobs. */
const seed = Number(process.env.BINDERY_SEED ?? randomInt(2 ** 31));
/** `BINDERY_QUALITY=write` writes here what a run made. */
const document = fileURLToPath(new URL('../../../../docs/impose-quality.md', import.meta.url));
vi.setConfig({ testTimeout: 300_000 + 600 * runs });

const isOnePlate = ({ profile }: Job) =>
  profile.duplex === true && (profile.workStyle === 'WorkAndTurn' || profile.workStyle === 'WorkAndTumble');
const isTooSmall = ({ profile }: Job) => profile.rows === 'Auto';

/** Why a job may be refused; with any other reason, or without this one, a refusal is a fault of the planner. */
const mayRefuse: Readonly<Record<string, (job: Job) => boolean>> = {
  'impose.incomplete': ({ profile }) => profile.padding === 'FailIfIncomplete',
  'impose.workStyleNeedsEven': isOnePlate,
  'impose.workStyleNeedsSymmetry': isOnePlate,
  'impose.gangTooMany': ({ profile }) => profile.gang === 'Gang',
  'impose.gangLeftOver': ({ profile }) => profile.furtherSheets === false,
  'impose.fillTooLong': ({ profile }) => profile.fill !== undefined,
  'impose.dieMismatch': ({ areSizesMixed }) => areSizesMixed,
  'impose.comeAndGoNeedsOneRow': ({ profile }) => profile.comeAndGo === true,
  'impose.blockTooHigh': isTooSmall,
  'impose.blockTooWide': isTooSmall,
};

/** What was made of one kind of job. */
interface Made {
  jobs: number;
  refused: number;
  sheets: number;
  cells: number;
}
const count = (tally: Map<string, Made>, kind: string, printed: { sheets: PrintedSheet[] } | null): void => {
  const made = tally.get(kind) ?? { jobs: 0, refused: 0, sheets: 0, cells: 0 };
  tally.set(kind, made);
  if (!printed) {
    made.refused += 1;
    return;
  }
  made.jobs += 1;
  made.sheets += printed.sheets.length;
  for (const { front, back } of printed.sheets) made.cells += front.prints.length + (back?.prints.length ?? 0);
};

const rowsOf = (tally: ReadonlyMap<string, Made>): string =>
  [...tally]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([kind, { jobs, refused, sheets, cells }]) => `| ${kind} | ${jobs} | ${refused} | ${sheets} | ${cells} | 0 |`)
    .join('\n');

/** The page in the docs; it is only written where no product was wrong. */
const documentOf = (
  layouts: ReadonlyMap<string, Made>,
  styles: ReadonlyMap<string, Made>,
  folds: ReadonlyMap<string, Made>,
): string => {
  const head = (kind: string) =>
    `| ${kind} | products made | refused, with its reason | sheets | pages on them | wrong |\n| --- | ---: | ---: | ---: | ---: | ---: |`;
  const total = [...layouts.values()].reduce((sum, { jobs }) => sum + jobs, 0);
  return `# Random jobs through a bindery

${total} random jobs were imposed (seed ${seed}), and their PDFs read as printed paper: what is painted where, and nothing else of the plan. A bindery that shares no code with the planner turned, cut, stacked, folded, nested and gathered the sheets by their marks and by what the layout says of its work, as a person at a table would, and compared the products with what had been ordered: every page the wanted number of times, in its order, upright, not mirrored, in its place on both sides, no copy too few. A job that was refused had one of the reasons that are right for it, or the run would have failed. That the bindery finds faults is shown by ${Object.keys(faults).length} kinds of them in ${Object.keys(examples).length} kinds of jobs, all found (\`random-plans.test.ts\`). To make and judge them anew, run
\`BINDERY_QUALITY=write BINDERY_RUNS=10000 NIGHT=1 npx vitest run --config packages/config/vitest.config.ts --project impose random-plans\`.

${head('layout')}
${rowsOf(layouts)}

${head('work style')}
${rowsOf(styles)}

${head('folding or leaflet')}
${rowsOf(folds)}
`;
};

test('random jobs become the products that were ordered', async () => {
  const [layouts, styles, folds] = [new Map<string, Made>(), new Map<string, Made>(), new Map<string, Made>()];
  await fc.assert(
    fc.asyncProperty(jobs, async (job) => {
      const printed = await print(job.pages, job.profile);
      if (!printed.ok) {
        for (const { code } of printed.problems) expect([code, mayRefuse[code]?.(job)]).toEqual([code, true]);
      }
      const { type, workStyle, duplex, folding, fold, signatureSize } = job.profile;
      const told = printed.ok ? printed : null;
      count(layouts, String(type), told);
      count(styles, duplex === false ? 'Simplex' : String(workStyle ?? 'Sheetwise'), told);
      if (fold) count(folds, String(fold), told);
      else if (folding) count(folds, `${String(folding)}, signatures of ${String(signatureSize)} pages`, told);
      fc.pre(printed.ok);
      if (printed.ok) judge(job, printed.sheets);
    }),
    { numRuns: runs, maxSkipsPerRun: 2, endOnFailure: !isNight, seed },
  );
  const expected = [
    'AcrossDown',
    'DownAcross',
    'CutAndStack',
    'StepNRepeat',
    'DieCut',
    'SaddleStitch',
    'Leaflet',
    'PerfectBound',
    'GangRun',
  ];
  const kinds = ['Simplex', 'Sheetwise', 'Perfecting', 'WorkAndTurn', 'WorkAndTumble'];
  // Of a few jobs some kind may be missing by chance.
  if (isNight) expect([...layouts.keys(), ...styles.keys()].sort()).toEqual([...expected, ...kinds].sort());
  if (process.env.BINDERY_QUALITY === 'write') writeFileSync(document, documentOf(layouts, styles, folds));
});

/** Changes the first printed page of a sheet. */
const spoil =
  (change: (print: Print, sheet: PrintedSheet) => Print | null) =>
  (sheets: PrintedSheet[]): PrintedSheet[] => {
    const index = sheets.findIndex(({ front }) => front.prints.length > 0);
    return sheets.map((sheet, at) => {
      if (at !== index) return sheet;
      const [first, ...rest] = sheet.front.prints;
      const changed = first && change(first, sheet);
      return { ...sheet, front: { ...sheet.front, prints: changed ? [changed, ...rest] : rest } };
    });
  };

const askew = (print: Print): Print => {
  const angle = Math.PI / 1800;
  const turn = ({ x, y }: Vector): Vector => ({
    x: x * Math.cos(angle) - y * Math.sin(angle),
    y: x * Math.sin(angle) + y * Math.cos(angle),
  });
  return { ...print, along: turn(print.along), up: turn(print.up) };
};

const faults: Readonly<Record<string, (sheets: PrintedSheet[]) => PrintedSheet[]>> = {
  'a page is lost': spoil(() => null),
  'a page is another': spoil((one) => ({ ...one, page: one.page + 1 })),
  'a page stands on its head': spoil((one) => ({
    ...one,
    corner: { x: one.corner.x + one.along.x + one.up.x, y: one.corner.y + one.along.y + one.up.y },
    along: { x: -one.along.x, y: -one.along.y },
    up: { x: -one.up.x, y: -one.up.y },
  })),
  'a page is mirrored': spoil((one) => ({
    ...one,
    corner: { x: one.corner.x + one.along.x, y: one.corner.y + one.along.y },
    along: { x: -one.along.x, y: -one.along.y },
  })),
  'a page is off by a millimetre': spoil((one) => ({ ...one, corner: { x: one.corner.x + 3, y: one.corner.y } })),
  'a sheet is lost': (sheets) => sheets.slice(1),
  'the backs are those of another sheet': ([first, second, ...rest]) =>
    first && second ? [{ ...first, back: second.back }, { ...second, back: first.back }, ...rest] : [],
  'a page is turned by a tenth of a degree': spoil(askew),
  'too few are printed': (sheets) => sheets.map((sheet) => ({ ...sheet, quantity: sheet.quantity - 1 })),
};

const grid = { rows: 2, columns: 2, rotation: 0, rowsOrientation: 'Same', columnsOrientation: 'Same', duplex: true };
const book = { signatureSize: 8, bindingEdge: 'Left', creep: { enabled: false }, sheet: 'auto', marks: 'crop, fold' };
const gangRun = {
  duplex: true,
  sheet: 'SRA2',
  mayTurn: false,
  jobs: [
    { pages: '1-2', quantity: 20 },
    { pages: '3-4', quantity: 10 },
  ],
};
const examples: Readonly<Record<string, Record<string, unknown>>> = {
  AcrossDown: { ...grid, startCorner: 'TopLeft' },
  CutAndStack: { ...grid, startCorner: 'TopLeft', stackOrder: 'DeepRightDown', stackDepth: 0 },
  StepNRepeat: { ...grid, sheet: 'SRA3' },
  SaddleStitch: book,
  Leaflet: {
    fold: 'RollFold',
    panels: 3,
    shorter: '2mm',
    pageOrder: 'AsSpread',
    rows: 1,
    columns: 1,
    sheet: 'auto',
    margins: '12mm',
    marks: 'crop, fold',
  },
  PerfectBound: { ...book, sheetsPerSection: 1, millingDepth: '3mm' },
  'PerfectBound, bottled': {
    ...book,
    type: 'PerfectBound',
    sheetsPerSection: 1,
    millingDepth: '3mm',
    bottling: { innermost: 0.5, axis: 'FaceFoot' },
  },
  GangRun: gangRun,
  'GangRun on one plate': { ...gangRun, type: 'GangRun', workStyle: 'WorkAndTurn' },
};

test.each(
  Object.entries(examples).flatMap(([type, own]) =>
    Object.entries(faults).map(([fault, change]) => ({ type, own, fault, change })),
  ),
)('$type: it is found when $fault', async ({ type, own, change }) => {
  const pages = Array.from({ length: 16 }, () => ({ width: 100, height: 140, bleed: 5, turned: 0 as const }));
  // A gang run has no places to pad.
  const padding = type.startsWith('GangRun') ? {} : { padding: 'BlankEnd' };
  const profile = { type, copies: 10, oversPercent: 0, alignment: {}, cellBox: 'Trim', ...padding, ...own };
  const job: Job = { pages, list: pages.map((_, index) => index + 1), areSizesMixed: false, profile };
  const printed = await print(pages, profile);
  if (!printed.ok) throw new Error(JSON.stringify(printed.problems));
  expect(() => judge(job, printed.sheets)).not.toThrow();
  expect(() => judge(job, change(printed.sheets))).toThrow(PaperFault);
});
