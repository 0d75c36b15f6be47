import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = path.join(import.meta.dirname, '../dist/child');

/** What Node loads for a task of the bundled child before the task begins: its file and all that it imports, as one text. */
function loadedFor(task: string): string {
  const child = readFileSync(path.join(folder, 'child.js'), 'utf8');
  const entry = new RegExp(`import\\("\\./(${task}-[^"]+)"\\)`).exec(child)?.[1];
  return loadedWith(entry === undefined ? [] : [entry]);
}

/** What Node loads with files of the bundle: these and all that they import, as one text. */
function loadedWith(entries: readonly string[]): string {
  const files = new Set(entries);
  let text = '';
  for (const file of files) {
    const code = readFileSync(path.join(folder, file), 'utf8');
    for (const [, imported = ''] of code.matchAll(/^(?:import|export) [^\n]*"\.\/([^"]+)";$/gm)) files.add(imported);
    text += code;
  }
  return text;
}

test('the bundle is there', () => expect(readdirSync(folder)).toContain('child.js'));

test.each(['inspect', 'impose'])('%s starts without MuPDF, and without words', (task) => {
  const code = loadedFor(task);
  expect(code).toContain('loadingMupdfOnDemand');
  expect(code).not.toMatch(/^import [^\n]*\/mupdf\.js";$/m);
  expect(code.match(/^\/\/ .*layouts\/(?:say|messages)[^\n]*$/gm)).toBeNull();
});

test('impose words its problems without the words that all packages share', () => {
  const impose = loadedFor('impose');
  const words = /import\("\.\/(own-sentence-[^"]+)"\)/.exec(impose)?.[1] ?? '';
  const code = loadedWith([words]);
  expect(code).toMatch(/^\/\/ .*impose\/dist\/layouts\/messages\.js$/m);
  expect(code).not.toMatch(/^\/\/ .*contract\/dist\/contract-messages\.js$/m);
});

test('impose starts without the schemas of a plan, which it makes and does not read', () => {
  expect(loadedFor('impose')).not.toMatch(/^\/\/ .*contract\/dist\/impose\.js$/m);
});

test('what renders starts with it', () => {
  expect(loadedFor('render')).toMatch(/await loadMupdf\(\)/);
});

test('the threads of its tasks run what is in the bundle, and load no module by itself', () => {
  const code = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  expect(code.filter((text) => /\.resolve\(['"]@pdf2press/.test(text))).toEqual([]);
  const worker = code.find((text) => text.includes('dist/interpret/page-worker.js\n')) ?? '';
  expect(worker.match(/^import [^\n]*"\.\/[^"]+";$/gm)?.length).toBeGreaterThan(0);
  expect(worker).not.toMatch(/^import [^\n]*@pdf2press/m);
});
