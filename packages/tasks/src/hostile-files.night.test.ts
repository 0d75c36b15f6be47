import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { FileFaultError } from '@pdf2press/contract';
import { fixPresets } from '@pdf2press/fix/contracts';
import { mutate, poisonPdfs } from '@pdf2press/pdf/testing';
import { presets } from '@pdf2press/preflight/contracts';
import { afterAll, expect, test } from 'vitest';
import { runTask, type TaskName, type TaskTable } from './tasks.ts';

/* Every task on malicious and on damaged files: whatever it makes of them, its child process ends by itself or at a limit, with a code. */

const directory = mkdtempSync(join(os.tmpdir(), 'hostile-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Where a child gets its file, and where it works. */
interface Place {
  path: string;
  workDir: string;
}
type Way = (place: Place) => Promise<unknown>;

/** Less than a worker allows: a file that hangs is to be ended soon, and there are many. */
const limits = { wallMs: 120_000, cpuSeconds: 60 };

const way =
  <K extends TaskName>(task: K, params: (place: Place) => TaskTable[K]['params']): Way =>
  (place) =>
    runTask(task, params(place), { workDir: place.workDir, limits });

const fileName = 'hostile.pdf';
const outputs = ['output', 'plan', 'jdf', 'xjdf', 'dummy'] as const;

/** The tasks that workflows, screens and commands run on a file, each with the settings that make it do the most. */
const ways: Readonly<Record<string, Way>> = {
  inspect: way('inspect', ({ path }) => ({ path })),
  ...Object.fromEntries(
    // Of the variants of GWG one: they differ in limits.
    presets
      .filter(({ key }) => !key.startsWith('gwg') || key === 'gwg2022-sheetspot-cmyk-rgb')
      .map(({ key, profile }) => [
        `preflight ${key}`,
        way('preflight', ({ path }) => ({ path, fileName, profile, annotatedCopy: { locale: 'en' } })),
      ]),
  ),
  ...Object.fromEntries(
    fixPresets.map(({ key, profile }) => [
      `fix ${key}`,
      way('fix', ({ path, workDir }) => ({ path, fileName, profile, out: join(workDir, 'fixed.pdf') })),
    ]),
  ),
  ...Object.fromEntries(
    ['SaddleStitch', 'StepNRepeat', 'CutNStack'].map((type) => [
      `impose ${type}`,
      way('impose', ({ path }) => ({ inputs: [{ path }], profile: { type }, outputs: [...outputs] })),
    ]),
  ),
  thumbnails: way('thumbnails', ({ path }) => ({ path })),
  tiles: way('tiles', ({ path }) => ({ path, pages: [1] })),
  render: way('render', ({ path }) => ({ path, page: 1, dpi: 72, format: 'png' })),
  plates: way('plates', ({ path }) => ({ path, page: 1, dpi: 72 })),
  pictureCopy: way('pictureCopy', ({ path }) => ({ path, dpi: 72, watermark: 'Proof' })),
  split: way('split', ({ path }) => ({ path, at: 'bookmarks' })),
  merge: way('merge', ({ path }) => ({ inputs: [{ path }, { path }] })),
  attachment: way('attachment', ({ path }) => ({ path, name: 'record.json' })),
  unlock: way('unlock', ({ path, workDir }) => ({ path, password: 'x', out: join(workDir, 'open.pdf') })),
};

/** For malicious files, which take long: each task, and of its settings those that reach the most of a file. */
const widest = Object.entries(ways).filter(
  ([name]) =>
    !/^(preflight|fix|impose) /.test(name) ||
    /^(preflight (business-card-flyer|pdf-x-4)|fix (pdfx-4|outline-fonts|bleed-3mm|smaller-images)|impose SaddleStitch)$/.test(
      name,
    ),
);

/** The fault's code, or that there was none. */
async function outcomeOf(run: Way, bytes: Uint8Array): Promise<string> {
  const folder = mkdtempSync(join(directory, 'file-'));
  const place = { path: join(folder, fileName), workDir: join(folder, 'work') };
  mkdirSync(place.workDir);
  writeFileSync(place.path, bytes);
  try {
    await run(place);
    return 'done';
  } catch (error) {
    return error instanceof FileFaultError ? error.code : String(error);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A child that crashed, or a fault without a code of its own. */
const isSurprise = (outcome: string): boolean =>
  outcome !== 'done' && !/^(?!PDF_CRASH$|INTERNAL$)[A-Z_]+$/.test(outcome);

interface Case {
  name: string;
  run: Way;
  bytes: () => Uint8Array;
}

/** Runs the cases on all processors; answers what surprised, and prints how often each outcome came. */
async function surprisesIn(title: string, cases: readonly Case[]): Promise<string[]> {
  const surprises: string[] = [];
  const counts = new Map<string, number>();
  const waiting = cases[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const { name, run, bytes } of waiting) {
      const outcome = await outcomeOf(run, bytes());
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (isSurprise(outcome)) surprises.push(`${name}: ${outcome}`);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, os.availableParallelism()) }, work));
  const told = [...counts].sort(([, a], [, b]) => b - a).map(([outcome, count]) => `${outcome} ${count}`);
  console.log(`${title}: ${told.join(', ')}`);
  return surprises;
}

/** Against hanging only; a week's damaged files take hours. */
const timeout = 12 * 3_600_000;

const files = poisonPdfs();

test('malicious files through every task', { timeout }, async () => {
  const cases = files.flatMap(({ name, bytes }) =>
    widest.map(([task, run]) => ({ name: `${name}, ${task}`, run, bytes: () => bytes })),
  );
  expect(await surprisesIn('malicious files', cases)).toEqual([]);
});

/** Small, so that a damage is likely to hit what counts. */
const seedBytes = 20_000;
/** The same numbers give the same damage; `MUTANTS_FROM` goes on where an earlier run ended. */
const mutants = { count: Number(process.env.MUTANTS ?? 1500), from: Number(process.env.MUTANTS_FROM ?? 0) };

test(`${mutants.count} damaged files, each through one task after the other`, { timeout }, async () => {
  const seeds = files.filter(({ bytes }) => bytes.length < seedBytes);
  const tasks = Object.entries(ways);
  const cases = Array.from({ length: mutants.count }, (_, at) => mutants.from + at).flatMap((number): Case[] => {
    const task = tasks[number % tasks.length];
    const seed = seeds[(7 * number + Math.floor(number / tasks.length)) % seeds.length];
    if (!task || !seed) return [];
    return [{ name: `${number}: ${seed.name}, ${task[0]}`, run: task[1], bytes: () => mutate(seed.bytes, number) }];
  });
  expect(cases).toHaveLength(mutants.count);
  expect(await surprisesIn('damaged files', cases)).toEqual([]);
});
