import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { childEntry } from './child-entry.ts';
import { runTask } from './tasks.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'fix-engine-'));
const workDir = path.join(folder, 'work');
const file = path.join(folder, 'card.pdf');
beforeEach(() => {
  rmSync(workDir, { recursive: true, force: true });
  mkdirSync(workDir);
});
afterAll(() => rmSync(folder, { recursive: true }));

const card = (): Buffer =>
  Buffer.from(buildPdf({ pages: [{ content: '0 g 50 50 100 100 re f', mediaBox: [0, 0, 240, 150] }] }));
/** A file whose table of objects is not where it says, so that only MuPDF opens it. */
const damaged = (): Buffer =>
  Buffer.from(
    card()
      .toString('latin1')
      .replace(/startxref\s+\d+/, 'startxref 7'),
    'latin1',
  );

/** Whether the child made a WebAssembly program ready for a fix, and the outcome of the fix. */
function fixed(pdf: Buffer, key: string): { hasEngine: boolean; outcome: string } {
  writeFileSync(file, pdf);
  const watching = path.join(folder, 'watching.cjs');
  writeFileSync(
    watching,
    'const { instantiate } = WebAssembly; WebAssembly.instantiate = (...args) => { console.error("made"); return instantiate(...args); };',
  );
  const params = {
    path: file,
    fileName: 'card.pdf',
    out: path.join(workDir, 'out.pdf'),
    profile: { actions: [{ key }] },
  };
  const { stderr, output } = spawnSync(process.execPath, ['--require', watching, childEntry('fix')], {
    cwd: workDir,
    input: JSON.stringify({ task: 'fix', params }),
    encoding: 'utf8',
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
  const answer = (output[3] ?? '').split('\n').find((line) => line.startsWith('{"result"')) ?? '{}';
  return { hasEngine: stderr.includes('made'), outcome: JSON.parse(answer).result?.actions[0].outcome };
}

test('a fix of page boxes needs no MuPDF', () => {
  expect(fixed(card(), 'SetPageBoxes')).toEqual({ hasEngine: false, outcome: 'Applied' });
});

test('a file that only MuPDF opens has its boxes set all the same', () => {
  expect(fixed(damaged(), 'SetPageBoxes')).toEqual({ hasEngine: true, outcome: 'Applied' });
});

test('a fix of content has MuPDF', () => {
  expect(fixed(card(), 'RichBlack')).toEqual({ hasEngine: true, outcome: 'NothingToDo' });
});

test('pictures of a fixed file are drawn after a fix that needed no MuPDF', async () => {
  writeFileSync(file, card());
  const result = await runTask(
    'fix',
    {
      path: file,
      fileName: 'card.pdf',
      out: path.join(workDir, 'out.pdf'),
      profile: { actions: [{ key: 'SetPageBoxes' }] },
      pictures: { folder: path.join(workDir, 'pictures'), most: 1 },
    },
    { workDir },
  );
  expect(result.pictures?.thumbnails).toMatchObject([{ page: 1 }]);
});
