import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle, keepCode } from './bundle.ts';

const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'bundle-test-')));
const file = (name: string) => path.join(folder, name);
const program = file('out/program.cjs');

/** Tells on standard error, for each chunk, whether V8 refused its code. */
const observer = `
  const kept = new Map();
  globalThis[Symbol.for('pdf2press.code')] = kept;
  process.on('exit', () => console.error(JSON.stringify([...kept.values()].map((script) => script.cachedDataRejected))));
`;
const run = (...flags: string[]): { told: string; refused: (boolean | null)[] } => {
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '--require', file('observer.cjs'), program], {
    encoding: 'utf8',
  });
  return { told: stdout, refused: JSON.parse(stderr) };
};

beforeAll(async () => {
  writeFileSync(file('package.json'), '{"type":"module"}');
  writeFileSync(file('observer.cjs'), observer);
  // A package that can only be imported: it awaits at the top.
  writeFileSync(file('outside.mjs'), 'export const word = await Promise.resolve("outside");');
  writeFileSync(file('late.js'), 'export const late = () => import.meta.url;');
  writeFileSync(
    file('thread.js'),
    'import { parentPort } from "node:worker_threads"; import { late } from "./late.js"; parentPort.postMessage(late());',
  );
  writeFileSync(
    file('program.js'),
    `const outside = ${JSON.stringify(file('outside.mjs'))};
    const tell = async () => {
      const { late } = await import('./late.js');
      const { word } = await import(/* @vite-ignore */ outside);
      console.log(word, late(), (() => this === undefined)());
    };
    void tell();`,
  );
  await bundle({
    entry: file('program.js'),
    out: file('out'),
    name: 'program',
    beside: { thread: file('thread.js') },
    takes: () => false,
    isCommonJs: true,
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const told = `outside file://${file('late.js')} true\n`;

test('a bundle does the same without kept code, with it, and with code that other flags were kept with', () => {
  expect(run('--max-old-space-size=300')).toEqual({ told, refused: [null, null] });
  keepCode({ program, flags: ['--max-old-space-size=300'], folder });
  expect(run('--max-old-space-size=300')).toEqual({ told, refused: [false, false] });
  expect(run('--max-old-space-size=400')).toEqual({ told, refused: [true, true] });
});

test('a thread starts a program of a bundle, whose modules it shares', async () => {
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(file('out/thread.cjs'));
  const said = await new Promise((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
  });
  expect(said).toBe(`file://${file('late.js')}`);
});

test('keeping the code of a program that fails is an error', () => {
  writeFileSync(file('failing.cjs'), 'throw new Error("no");');
  expect(() => keepCode({ program: file('failing.cjs'), folder })).toThrow(/ended with 1: .*no/s);
});
