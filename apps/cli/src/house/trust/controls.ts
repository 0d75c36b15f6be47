import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { localBin, runQuietly } from '../processes.ts';
import { repositoryRoot } from '../root.ts';
import type { RunReport } from '../run-reports.ts';
import { makeFolderIn, makeTemporaryFolder } from '../temporary-folder.ts';
import { prepareTestTools } from '../tools.ts';
import { copyTree } from '../tree-copy.ts';
import { type Control, mutated } from './control.ts';
import { controlsOfCrashes } from './controls-of-crashes.ts';
import { controlsOfWalls } from './controls-of-walls.ts';
import { machine, mergedRows, readPage, tableOf, writeSection } from './document.ts';
import { type NamedRun, resultsOf, runNamedTests } from './named-tests.ts';

export const controls: readonly Control[] = [...controlsOfCrashes, ...controlsOfWalls];

/** `red`: the test saw that the guard is gone · `survived`: it did not · `skipped`: this machine cannot run it. */
interface Outcome {
  control: Control;
  end: 'red' | 'survived' | 'skipped' | 'broken';
  /** The first test that went red, or why there is none. */
  said: string;
}

const roomOf = (file: string): string =>
  file.startsWith('prisma/') ? 'prisma' : file.split('/').slice(0, 2).join('/');

/** Rooms whose own tests start programs from their build; the tests of others read the sources of their room. */
const testedAsBuilt = new Set([
  'apps/cli',
  'apps/intake',
  'apps/worker',
  'packages/engine',
  'packages/pdf',
  'packages/tasks',
]);

/** The rooms that have to be built anew, for what reads them as they are built; migrations are read as they are. */
const roomsOf = ({ edits, test }: Control): string[] => {
  const rooms = edits.filter(({ file }) => file.endsWith('.ts')).map(({ file }) => roomOf(file));
  return [...new Set(rooms)].filter((room) => testedAsBuilt.has(room) || room !== roomOf(test.file));
};

const compile = (room: string) =>
  runQuietly(localBin('tsc'), ['-p', room, '--noCheck', '--incremental', 'false'], { cwd: room });

/** Takes the guard away, in the copy. Returns what puts it back. */
async function disarm(root: string, control: Control): Promise<() => void> {
  const before = new Map<string, string>();
  for (const edit of control.edits) {
    const file = path.join(root, edit.file);
    const text = readFileSync(file, 'utf8');
    if (!before.has(file)) before.set(file, text);
    writeFileSync(file, mutated(text, edit));
  }
  const builds = roomsOf(control).map((room) => path.join(root, room, 'dist'));
  for (const dist of builds) {
    cpSync(dist, `${dist}.whole`, { recursive: true, preserveTimestamps: true });
    await compile(path.dirname(dist));
  }
  return () => {
    for (const [file, text] of before) writeFileSync(file, text);
    for (const dist of builds) {
      rmSync(dist, { recursive: true });
      renameSync(`${dist}.whole`, dist);
    }
  };
}

async function runControl(control: Control, run: NamedRun): Promise<Outcome> {
  const restore = await disarm(run.root, control);
  try {
    const { results, output } = await runNamedTests([control.test], run);
    const found = resultsOf(results, control.test);
    const red = found.find(({ status }) => status === 'failed');
    if (red) return { control, end: 'red', said: red.name };
    if (found.some(({ status }) => status === 'passed')) return { control, end: 'survived', said: 'SURVIVED' };
    // Nothing ran: what cannot be loaded says nothing about the guard.
    return { control, end: 'broken', said: `NOTHING RAN ${output.trim().split('\n').slice(-3).join(' ')}` };
  } finally {
    restore();
  }
}

const head = ['guard', 'what was taken away', 'test that went red', 'on'];

/** The cells that name a control, and those that tell how it ended. */
const namesOf = ({ guard, mutation, edits }: Control): string[] => [
  guard,
  `${[...new Set(edits.map(({ file }) => `\`${file}\``))].join(', ')}: ${mutation}`,
];
const measuredOf = ({ control: { test }, end, said }: Outcome): string[] => [
  end === 'red' ? `\`${test.file}\`: ${said}` : said,
  new Date().toISOString().slice(0, 10),
];

/** Writes down what is known by now: a run that is ended keeps what it has seen. */
function document(outcomes: readonly Outcome[]): void {
  const rowsOf = (some: readonly Control[]) =>
    mergedRows(
      readPage('reliability.md'),
      some.map((control) => {
        const outcome = outcomes.find((one) => one.control === control);
        return { names: namesOf(control), measured: outcome && measuredOf(outcome) };
      }),
      ['not run yet', ''],
    );
  const figures = (rows: readonly (readonly string[])[]) => {
    const seen = rows.filter(([, , said = '']) => said.startsWith('`')).length;
    const untried = rows.filter(([, , said = '']) => /^(skipped|not run)/.test(said)).length;
    return `Of ${rows.length} guards, each taken away in a copy of the tree, a test went red for ${seen}; ${rows.length - seen - untried} were not seen, ${untried} not tried.`;
  };
  const all = rowsOf(controls);
  writeSection(
    'reliability.md',
    'Mutation controls',
    `Written by \`npm run controls\` (${machine}). ${figures(all)}\n\n${tableOf(head, all)}`,
  );
  writeSection(
    'security.md',
    'Last figures of the controls',
    `Written by \`npm run controls\` (${machine}). ${figures(rowsOf(controlsOfWalls))} Which test sees which guard is in [reliability.md](reliability.md#mutation-controls).`,
  );
}

const report = (outcomes: readonly Outcome[]): RunReport => {
  const count = (...ends: Outcome['end'][]) => outcomes.filter(({ end }) => ends.includes(end)).length;
  return {
    passed: count('red'),
    failed: count('survived', 'broken'),
    skipped: count('skipped'),
    failures: outcomes
      .filter(({ end }) => end === 'survived' || end === 'broken')
      .map(({ control, said }) => `control "${control.guard}": ${said}`),
  };
};

/** Two copies at a time: each test waits for half of its time. */
const lanes = 2;

/** Runs controls one after the other in a copy of the tree. First their tests run with every guard in place: one that fails then says nothing. */
async function runLane(chosen: readonly Control[]): Promise<Outcome[]> {
  const root = makeTemporaryFolder('controls');
  try {
    copyTree(root);
    const run: NamedRun = { root, folder: makeFolderIn(root, '.controls'), vitest: localBin('vitest') };
    const tests = chosen.map(({ test }) => test);
    const whole = await runNamedTests(tests, run);
    if (whole.results.length === 0) throw new Error(`no test ran with all guards in place:\n${whole.output}`);
    const outcomes: Outcome[] = [];
    for (const control of chosen) {
      const found = resultsOf(whole.results, control.test);
      const has = (status: string) => found.some((result) => result.status === status);
      const outcome: Outcome = has('failed')
        ? { control, end: 'broken', said: 'RED WITH THE GUARD IN PLACE' }
        : has('passed')
          ? await runControl(control, run)
          : has('skipped')
            ? { control, end: 'skipped', said: 'skipped on this machine' }
            : { control, end: 'broken', said: `NO SUCH TEST: ${control.test.name}` };
      outcomes.push(outcome);
      document([outcome]);
      console.log(`${outcome.end.padEnd(8)} ${control.guard}${outcome.end === 'red' ? '' : ` (${outcome.said})`}`);
    }
    return outcomes;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/**
 * Takes each guard away in turn, in copies of the tree, runs the test that must see it, and writes its row in
 * `docs/reliability.md` and what they add up to in `docs/security.md`.
 * @param words only controls whose guard holds them all; none = all
 */
export async function runControls(words: readonly string[]): Promise<RunReport> {
  const chosen = controls.filter(({ guard }) => words.every((word) => guard.includes(word)));
  // Told before anything runs: a control whose text is gone guards nothing.
  for (const edit of chosen.flatMap(({ edits }) => edits))
    mutated(readFileSync(path.join(repositoryRoot, edit.file), 'utf8'), edit);
  await prepareTestTools();
  const shares = Array.from({ length: lanes }, (_, lane) => chosen.filter((_, at) => at % lanes === lane));
  const found = (await Promise.all(shares.filter((share) => share.length > 0).map(runLane))).flat();
  const outcomes = chosen.flatMap((control) => found.filter((outcome) => outcome.control === control));
  console.log(
    `\n${tableOf(
      head,
      outcomes.map((outcome) => [...namesOf(outcome.control), ...measuredOf(outcome)]),
    )}\n`,
  );
  return report(outcomes);
}

/** `npm run controls [-- WORDS]`: see `runControls`. Ends with the line `N passed, N failed, N skipped`; exit code 1 where a guard was not missed. */
export async function runControlsCommand(args: string[]): Promise<number> {
  // npm removes the -- before words; other callers do not.
  const { passed, failed, skipped, failures } = await runControls(args.filter((word) => word !== '--'));
  for (const failure of failures) console.log(`failed: ${failure}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 ? 0 : 1;
}
