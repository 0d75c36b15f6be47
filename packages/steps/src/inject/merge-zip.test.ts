import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { runTask } from '@pdf2press/tasks';
import { afterAll, expect, test } from 'vitest';
import type { StepContext } from '../step.ts';
import type { StepTools } from '../step-runner.ts';
import { type InjectSettings, injectContract } from './contract.ts';
import { runInject } from './run.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'merge-zip-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** A PDF of so many square pages, whose edges in points tell the files apart. */
function pdfOf(pages: number, edge: number): Buffer {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 3} 0 R`).join(' ');
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${edge} ${edge}]/Resources<<>>>>`;
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', `<</Type/Pages/Count ${pages}/Kids[${kids}]>>`];
  let text = '%PDF-1.4\n';
  const offsets = [...objects, ...Array.from({ length: pages }, () => page)].map((object, at) => {
    const offset = String(text.length).padStart(10, '0');
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${offset} 00000 n \n`;
  });
  const size = pages + 3;
  const trailer = `trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}${trailer}`, 'latin1');
}

/** A ZIP whose files are not compressed (APPNOTE 6.3). */
function zipOf(files: readonly (readonly [name: string, data: Buffer])[]): Buffer {
  let at = 0;
  const packed = files.map(([name, data]) => {
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt32LE(crc32(data), 10);
    head.writeUInt32LE(data.length, 14);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), data]);
    at += body.length;
    return { body, entry: Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), head, place, Buffer.from(name)]) };
  });
  const entries = Buffer.concat(packed.map(({ entry }) => entry));
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...packed.map(({ body }) => body), entries, Buffer.from('PK\x05\x06'), end]);
}

/** What the step makes of a ZIP that is one document, with the edge of each of its pages. */
async function merge(files: Parameters<typeof zipOf>[0], mergeOrder: InjectSettings['mergeOrder'] = 'name') {
  const workDir = mkdtempSync(path.join(directory, 'work-'));
  const file = path.join(mkdtempSync(path.join(directory, 'in-')), 'book.zip');
  writeFileSync(file, zipOf(files));
  const tools: StepTools = {
    progress: () => undefined,
    runTask(task, params, { folder = '.' } = {}) {
      mkdirSync(path.join(workDir, folder), { recursive: true });
      return runTask(task, params, { workDir: path.join(workDir, folder) });
    },
  };
  const settings = injectContract.settings.parse({
    ...{ fileTypes: ['PDF', 'JPEG', 'ZIP'], zips: 'document', drawThumbnails: false, mergeOrder },
  });
  const context = {
    settings,
    workDir,
    file: { path: file, name: 'book.zip' },
    session: { arrival: {}, variables: {} },
  };
  const done = await runInject(context as unknown as StepContext<InjectSettings>, tools);
  const made = done.files?.find(({ kind }) => kind === 'ProductionFile');
  const { pages } = await runTask('inspect', { path: path.join(workDir, made?.path ?? '') }, { workDir });
  return { done, name: made?.name, edges: pages.map(({ boxes }) => boxes.media?.[2]) };
}

const files = [
  ['10.pdf', pdfOf(1, 100)],
  ['2.pdf', pdfOf(2, 20)],
  ['1.pdf', pdfOf(4, 10)],
] as const;

test.each([
  ['name', [10, 10, 10, 10, 20, 20, 100]],
  ['packed', [100, 20, 20, 10, 10, 10, 10]],
  ['cover', [10, 10, 20, 20, 100, 10, 10]],
] as const)('the files of a ZIP become one document in the order %s', async (order, edges) => {
  const merged = await merge(files, order);
  expect(merged).toMatchObject({ name: 'book.pdf', edges, done: { end: 'outcome', outcome: 'done', pageCount: 7 } });
  expect(merged.done).not.toHaveProperty('level');
});

test('what is left out is told with a warning, with the files that were merged', async () => {
  const { done, edges } = await merge([['notes.doc', Buffer.from('text')], ...files.slice(1)]);
  expect(edges).toEqual([10, 10, 10, 10, 20, 20]);
  expect(done).toMatchObject({
    level: 'Warning',
    summary: {
      merged: {
        files: [
          { name: '1.pdf', pages: 4, hasOtherIntent: false },
          { name: '2.pdf', pages: 2, hasOtherIntent: false },
        ],
        skipped: [{ name: 'notes.doc', code: 'ZIP_TYPE' }],
      },
    },
  });
});

test('a file that cannot be read, and a cover that has no two halves, fail the whole by name', async () => {
  const damaged = ['3.pdf', Buffer.from('no PDF at all')] as const;
  await expect(merge([...files, damaged])).rejects.toMatchObject({
    code: 'MERGE_FILE',
    params: { name: '3.pdf', reason: 'PDF_NOT_PDF' },
  });
  await expect(
    merge([['a.pdf', pdfOf(3, 9)], ...files.map(([name, data]) => [`b${name}`, data] as const)], 'cover'),
  ).rejects.toMatchObject({
    code: 'MERGE_COVER',
    params: { name: 'a.pdf', pages: 3 },
  });
});
