import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BenchRow, measure, median, sideBySide } from '@pdf2press/config/bench';
import { writeImagePdf, writeTextPdf } from '../testing/bench-files.ts';

const door = (name: string): string =>
  pathToFileURL(createRequire(import.meta.url).resolve(`@pdf2press/pdf/${name}`)).href;

/** Measures reading: dense text compared with `mutool trace`, a file of 330 MB, and growth with the number of pages. */
export async function bench(): Promise<BenchRow[]> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'inspect-bench-'));
  const program = path.join(directory, 'inspect.mjs');
  writeFileSync(
    program,
    `import { inspectPdf } from '${door('inspect')}';\nawait inspectPdf({ path: process.argv[2] });\n`,
  );
  const inspect = (file: string) => measure(process.execPath, [program, file]);
  try {
    return [...(await textRows(directory, inspect)), ...(await imageRows(directory, inspect))];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

type Inspect = (file: string) => ReturnType<typeof measure>;

async function textRows(directory: string, inspect: Inspect): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const seconds = new Map<number, number>();
  for (const pages of [10, 100, 1000]) {
    const file = path.join(directory, `text${pages}.pdf`);
    writeTextPdf(file, pages);
    const runs = [await inspect(file), await inspect(file), await inspect(file)];
    seconds.set(pages, median(runs.map((run) => run.seconds)));
  }
  const thousand = path.join(directory, 'text1000.pdf');
  if (spawnSync('mutool', ['-v']).error === undefined) {
    const { ours, peer, ratio } = await sideBySide(
      async () => (await inspect(thousand)).seconds,
      async () => (await measure('mutool', ['trace', thousand])).seconds,
    );
    const name = 'inspect 1000 pages of dense text (6.1 million glyphs)';
    rows.push({ name, ours, unit: 's', peer: 'mutool trace', peerValue: peer, ratio, limit: 1 });
  }
  // Ten times as many pages may take at most ten times as long. Process start only favours the small file.
  const growth = (seconds.get(1000) ?? 0) / (seconds.get(100) ?? 1);
  rows.push({ name: 'inspect, time of 1000 pages / time of 100 pages', ours: growth, unit: 'ratio', limit: 11 });
  return rows;
}

async function imageRows(directory: string, inspect: Inspect): Promise<BenchRow[]> {
  const file = path.join(directory, 'img200.pdf');
  writeImagePdf(file, 200, 1_650_000);
  const runs = [await inspect(file), await inspect(file), await inspect(file)];
  return [
    { name: 'inspect a file of 330 MB, 200 pages', ours: median(runs.map((run) => run.seconds)), unit: 's', limit: 3 },
    {
      name: 'inspect a file of 330 MB, peak memory',
      ours: Math.max(...runs.map((run) => run.peakMegabytes)),
      unit: 'MB',
      limit: 250,
    },
  ];
}
