import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { inspectJob, type PageContribution } from '../inspect/inspect-job.ts';
import { openPdf } from '../open/pdf-file.ts';
import { writeTextPdf } from '../testing/bench-files.ts';
import { type PageWork, runPages } from './run-pages.ts';

const directory = mkdtempSync(join(tmpdir(), 'pages-'));
afterAll(() => rmSync(directory, { recursive: true }));
// Enough work per page to make further threads worthwhile.
const path = join(directory, 'text.pdf');
writeTextPdf(path, 800);

const job = {
  start: inspectJob,
  module: createRequire(import.meta.url).resolve('@pdf2press/pdf/inspect-job'),
  name: 'inspectJob',
};

async function collect(
  work: Omit<PageWork<undefined, PageContribution>, 'file' | 'job' | 'params'>,
): Promise<{ page: number; result: PageContribution }[]> {
  const file = openPdf({ path });
  try {
    const outcomes: { page: number; result: PageContribution }[] = [];
    for await (const outcome of runPages<undefined, PageContribution>({ file, job, params: undefined, ...work }))
      outcomes.push(outcome);
    return outcomes;
  } finally {
    file.close();
  }
}

describe('pages in threads', () => {
  test('results come in page order and are equal for one, two and four threads', async () => {
    const one = await collect({ threads: 1 });
    expect(one.map(({ page }) => page)).toEqual(Array.from({ length: 800 }, (_, index) => index + 1));
    expect(await collect({ threads: 2 })).toEqual(one);
    expect(await collect({ threads: 4 })).toEqual(one);
  });

  test('only the requested pages are processed, in the requested order', async () => {
    expect((await collect({ pages: [7, 3, 9] })).map(({ page }) => page)).toEqual([7, 3, 9]);
  });

  test('the work stops when it is aborted', async () => {
    const stop = new AbortController();
    const file = openPdf({ path });
    const begin = async () => {
      const { signal } = stop;
      for await (const _ of runPages({ file, job, params: undefined, threads: 2, signal }))
        stop.abort(new Error('enough'));
    };
    await expect(begin()).rejects.toThrow('enough');
    file.close();
  });

  test('the error of the first failing page is thrown', async () => {
    const work = collect({ pages: [1, 99_999] });
    await expect(work).rejects.toThrow('99999');
  });
});
