/** That controls and cells name what is there: by day, without running any of them. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { repositoryRoot } from '../root.ts';
import { mutated } from './control.ts';
import { controls } from './controls.ts';
import { mergedRows, tableOf, withSection } from './document.ts';
import { faultTable } from './fault-table.ts';
import { chaosSection, filesOf } from './faults.ts';
import { namesTest, resultsOf, type TestResult } from './named-tests.ts';

const texts = new Map<string, string>();
const textOf = (file: string): string => {
  const at = path.join(repositoryRoot, file);
  const text = texts.get(file) ?? (existsSync(at) ? readFileSync(at, 'utf8') : '');
  texts.set(file, text);
  return text;
};

describe('controls', () => {
  test.each(controls)('$guard: what it takes away stands there once', ({ edits }) => {
    for (const edit of edits) expect(mutated(textOf(edit.file), edit)).not.toBe(textOf(edit.file));
  });

  test.each(controls)('$guard: its test is there', ({ test: { file, name } }) => {
    expect(namesTest(textOf(file), name), `${file}: ${name}`).toBe(true);
  });

  test('no guard is named twice', () => {
    const guards = controls.map(({ guard, mutation }) => `${guard} ${mutation}`);
    expect(new Set(guards).size).toBe(guards.length);
  });

  test('one whose text is gone, or stands there twice, says so', () => {
    const edit = { file: 'a.ts', takes: 'if (x)', puts: '' };
    expect(() => mutated('nothing', edit)).toThrow('a.ts holds 0 times what a control takes away');
    expect(() => mutated('if (x) if (x)', edit)).toThrow('a.ts holds 2 times');
    expect(mutated('a if (x) b', edit)).toBe('a  b');
  });
});

describe('the fault matrix', () => {
  test.each(faultTable)('$fault: every cell has its test', ({ cells }) => {
    for (const { file, name } of cells) expect(namesTest(textOf(file), name), `${file}: ${name}`).toBe(true);
  });

  test('has a cell for each fault at each moment, once', () => {
    const cells = faultTable.flatMap(({ fault, cells: own }) => own.map(({ moment }) => `${fault}: ${moment}`));
    expect(new Set(cells).size).toBe(cells.length);
    expect(cells.length).toBeGreaterThanOrEqual(150);
  });

  test('is run file by file: each cell in the file that holds its test, once', () => {
    const run = [...filesOf(faultTable)].flatMap(([file, held]) =>
      held.flatMap(({ cells }) => cells.map((cell) => ({ file, cell }))),
    );
    expect(run.every(({ file, cell }) => cell.file === file)).toBe(true);
    const all = faultTable.flatMap(({ cells }) => cells);
    expect(run).toHaveLength(all.length);
    expect(new Set(run.map(({ cell }) => cell))).toEqual(new Set(all));
  });
});

test('a name is found in the text of its file, with what test.each fills in', () => {
  const text = `describe.each(['s3'])('to a target of kind %s', () => { test.each(places)('killed at %s leaves one file'`;
  expect(namesTest(text, 'to a target of kind s3')).toBe(true);
  expect(namesTest(text, 'to a target of kind s3 killed at afterEffect leaves one file')).toBe(true);
  expect(namesTest(text, 'killed at afterEffect leaves two files')).toBe(false);
  expect(namesTest(text, 'nothing of it')).toBe(false);
});

test('results are found by file and part of the name', () => {
  const result = (file: string, name: string): TestResult => ({ file, name, status: 'passed', message: '', meta: {} });
  const results = [result('a.test.ts', 'a worker killed once'), result('b.test.ts', 'a worker killed once')];
  expect(resultsOf(results, { file: 'a.test.ts', name: 'killed once' })).toEqual([results[0]]);
});

test('a section of a page is replaced, and the others stay', () => {
  const page = '# Title\n\nHead.\n\n## One\n\nold\n\n## Two\n\nkept\n';
  expect(withSection(page, 'One', 'new')).toBe('# Title\n\nHead.\n\n## One\n\nnew\n\n## Two\n\nkept\n');
  expect(withSection(page, 'Three', 'new').endsWith('## Two\n\nkept\n\n## Three\n\nnew\n')).toBe(true);
  expect(tableOf(['a'], [['b | c\nd']])).toBe('| a |\n| --- |\n| b \\| c d |');
});

test('a chaos run is told as what came of it, its files by their ways and its faults by their kinds', () => {
  const figures = { files: 3, sessions: 3, lost: 0, twice: 0, differing: 0, comparedBytes: 9, minutes: 2, seed: 7 };
  const text = chaosSection({
    figures: { ...figures, brokenAnswers: 1 },
    ways: { mailbox: 2, 'hot folder': 1 },
    faults: { 'worker killed': 4, 'API killed': 1 },
  });
  expect(text).toContain('5 times in all');
  expect(text).toContain('| 3 | 3 | 0 | 0 | 0 | 9 | 1 | 2 | 7 |');
  expect(text).toContain('| mailbox | 2 |\n| hot folder | 1 |');
  expect(text).toContain('| API killed | 1 |\n| worker killed | 4 |');
});

test('a run of a part replaces its own rows of a table; the others stay, and new ones say that they were not run', () => {
  const page = tableOf(
    ['name', 'end'],
    [
      ['one', 'old'],
      ['two', 'a | b'],
      ['gone', 'old'],
    ],
  );
  const row = (name: string, measured?: string[]) => ({ names: [name], measured });
  expect(mergedRows(page, [row('one', ['new']), row('two'), row('three')], ['not run yet'])).toEqual([
    ['one', 'new'],
    ['two', 'a | b'],
    ['three', 'not run yet'],
  ]);
});
