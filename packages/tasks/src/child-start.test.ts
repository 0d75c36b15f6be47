import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { quickTasks } from './quick-tasks.ts';

const built = path.join(import.meta.dirname, '../dist');
type Program = 'child' | 'quick';
const textOf = (program: Program, file: string): string => readFileSync(path.join(built, program, file), 'utf8');

/** What Node loads for a task before the task begins: its file and all that it imports. */
function filesFor(program: Program, task: string): string[] {
  const entry = new RegExp(`require\\("\\./(${task}-[^"]+)"\\)`).exec(textOf(program, `${program}.cjs`))?.[1];
  return filesWith(program, entry === undefined ? [] : [entry]);
}

/** What Node loads with files of a bundle: these and all that they import. */
function filesWith(program: Program, entries: readonly string[]): string[] {
  const files = new Set(entries);
  for (const file of files) {
    for (const [, imported = ''] of textOf(program, file).matchAll(/^(?:const \w+ = )?require\("\.\/([^"]+)"\);$/gm))
      files.add(imported);
  }
  return [...files];
}

const loadedWith = (program: Program, entries: readonly string[]): string =>
  filesWith(program, entries)
    .map((file) => textOf(program, file))
    .join('');

const loadedFor = (program: Program, task: string): string => loadedWith(program, filesFor(program, task));

test.each(['child', 'quick'] as const)('the bundle %s is there', (program) =>
  expect(readdirSync(path.join(built, program))).toContain(`${program}.cjs`),
);

test.each(quickTasks)('%s starts with few files', (task) => {
  const files = filesFor('quick', task).length;
  expect(files).toBeGreaterThan(0);
  expect(files).toBeLessThan(10);
});

test.each(quickTasks)('%s starts without MuPDF, and without words', (task) => {
  const code = loadedFor('quick', task);
  expect(code).toContain('loadingMupdfOnDemand');
  expect(code).not.toMatch(/^[^\n]*require\("[^"]*\/mupdf\.js"\)/m);
  expect(code.match(/^\/\/ .*layouts\/(?:say|messages)[^\n]*$/gm)).toBeNull();
});

test('impose words its problems without the words that all packages share', () => {
  const impose = loadedFor('quick', 'impose');
  const words = /require\("\.\/(own-sentence-[^"]+)"\)\)/.exec(impose)?.[1] ?? '';
  const code = loadedWith('quick', [words]);
  expect(code).toMatch(/^\/\/ .*impose\/dist\/layouts\/messages\.js$/m);
  expect(code).not.toMatch(/^\/\/ .*contract\/dist\/contract-messages\.js$/m);
});

test('impose starts without the schemas of a plan, which it makes and does not read', () => {
  expect(loadedFor('quick', 'impose')).not.toMatch(/^\/\/ .*contract\/dist\/impose\.js$/m);
});

test('what renders starts with it', () => {
  expect(textOf('child', 'child.cjs')).toMatch(/render: withMupdf\(/);
});

test.each(['child', 'quick'] as const)(
  'the threads of %s run what is in the bundle, and load no module by itself',
  (program) => {
    const chunks = readdirSync(path.join(built, program)).filter((name) => name.endsWith('.cjs'));
    const code = chunks.map((name) => textOf(program, name));
    expect(code.filter((text) => /\.resolve\(['"]@pdf2press/.test(text))).toEqual([]);
    const worker = code.find((text) => text.includes('dist/interpret/page-worker.js\n')) ?? '';
    expect(worker.match(/^const \w+ = require\("\.\/[^"]+"\);$/gm)?.length).toBeGreaterThan(0);
    expect(worker).not.toMatch(/require\("@pdf2press/);
  },
);
