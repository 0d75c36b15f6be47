import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runTask } from '@pdf2press/tasks';
import { afterAll, expect, test } from 'vitest';
import type { StepContext } from '../step.ts';
import type { StepTools } from '../step-runner.ts';
import { type InjectSettings, injectContract } from './contract.ts';
import { runInject } from './run.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'divide-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** A PDF of pages with a square or without, and a bookmark to each page of `marked`. */
function pdfOf(pages: readonly ('full' | 'empty')[], marked: readonly number[] = []): string {
  const pageAt = (number: number) => 3 + number;
  const contents = pages.length + 4;
  const firstMark = contents + 2;
  const marks = marked.map((page, at) => {
    const next = at + 1 < marked.length ? `/Next ${firstMark + at + 1} 0 R` : '';
    return `<</Title(${page})/Parent 3 0 R${next}/Dest[${pageAt(page)} 0 R/Fit]>>`;
  });
  const ends = marks.length > 0 ? `/First ${firstMark} 0 R/Last ${firstMark + marks.length - 1} 0 R` : '';
  const stream = (data: string) => `<</Length ${data.length}>>stream\n${data}\nendstream`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/Outlines 3 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, at) => `${pageAt(at + 1)} 0 R`).join(' ')}]>>`,
    `<</Type/Outlines/Count ${marks.length}${ends}>>`,
    ...pages.map(
      (kind) =>
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Resources<<>>/Contents ${contents + (kind === 'full' ? 0 : 1)} 0 R>>`,
    ),
    stream('0 0 0 1 k 9 9 50 50 re f'),
    stream('0 0 0 0 k 9 9 50 50 re f'),
    ...marks,
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  text += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  const file = path.join(mkdtempSync(path.join(directory, 'in-')), 'job.pdf');
  writeFileSync(file, text, 'latin1');
  return file;
}

async function inject(file: string, given: Partial<InjectSettings>) {
  const workDir = mkdtempSync(path.join(directory, 'work-'));
  const tools: StepTools = {
    progress: () => undefined,
    runTask(task, params, { folder = '.' } = {}) {
      mkdirSync(path.join(workDir, folder), { recursive: true });
      return runTask(task, params, { workDir: path.join(workDir, folder) });
    },
  };
  const settings = injectContract.settings.parse({ drawThumbnails: false, ...given });
  const context = { settings, workDir, file: { path: file, name: 'job.pdf' }, session: { arrival: {}, variables: {} } };
  return runInject(context as unknown as StepContext<InjectSettings>, tools);
}

const namesOf = (done: object) => ('parts' in done ? (done.parts as { name: string }[]).map(({ name }) => name) : null);

test('each bookmark of the highest level begins a session, and the pages before the first one', async () => {
  const done = await inject(pdfOf(['full', 'full', 'full', 'full'], [2, 4]), { splitting: 'bookmarks' });
  expect(namesOf(done)).toEqual(['job_p001.pdf', 'job_p002-003.pdf', 'job_p004.pdf']);
  expect(done).toMatchObject({ end: 'session', status: 'Completed', summary: { pageCount: 4, parts: 3 } });
});

test('the pages between empty ones are a session each; empty ones are in none', async () => {
  const file = pdfOf(['full', 'full', 'empty', 'full', 'empty', 'empty', 'full']);
  expect(namesOf(await inject(file, { splitting: 'emptyPages' }))).toEqual([
    'job_p001-002.pdf',
    'job_p004.pdf',
    'job_p007.pdf',
  ]);
});

test.each([
  ['bookmarks', pdfOf(['full', 'full'])],
  ['bookmarks', pdfOf(['full', 'full'], [1])],
  ['emptyPages', pdfOf(['full', 'full'])],
  ['emptyPages', pdfOf(['empty', 'empty'])],
] as const)('with nothing to divide at (%s) the file goes on as it is', async (splitting, file) => {
  expect(await inject(file, { splitting })).toMatchObject({ end: 'outcome', outcome: 'done' });
});
