import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type BenchRow, measure, median, sideBySide } from '@pdf2press/config/bench';
import { buildPdf, writeImagePdf } from '@pdf2press/pdf/testing';
import { repositoryRoot } from '../house/root.ts';
import { makeTemporaryFolder } from '../house/temporary-folder.ts';

const program = path.join(repositoryRoot, 'apps/cli/bin/pdf2press.js');
const peers = createRequire(import.meta.url).resolve('@pdf2press/pdf/impose-peers');

/** Whole commands as somebody types them, the start of Node.js and of the limited child process included. */
export async function bench(): Promise<BenchRow[]> {
  const folder = makeTemporaryFolder('commands-bench');
  const file = (name: string) => path.join(folder, name);
  const run = async (...args: string[]) => {
    rmSync(file('out.pdf'), { force: true });
    const { seconds, exitCode } = await measure(process.execPath, args);
    if (exitCode !== 0) throw new Error(`${path.basename(args[0] ?? '')} ${args[1]} ended with ${exitCode}`);
    return seconds;
  };
  try {
    const page = { content: '0 g 50 50 100 100 re f', mediaBox: [0, 0, 240, 150] };
    writeFileSync(file('small.pdf'), buildPdf({ pages: [page, page] }));
    writeImagePdf(file('pictures.pdf'), 200, 1_650_000);
    const twoUp = { type: 'AcrossDown', rows: 1, columns: 2, sheet: 'auto', rotation: 0, gutterH: '0mm' };
    writeFileSync(file('two-up.json'), JSON.stringify(twoUp));
    const impose = (name: string) =>
      run(program, 'impose', file(name), '--profile', file('two-up.json'), '--out', file('out.pdf'));

    const rows: BenchRow[] = [];
    for (const [name, once] of [
      ['inspect', () => run(program, 'inspect', file('small.pdf'), '--json')],
      ['impose', () => impose('small.pdf')],
    ] as const) {
      const times: number[] = [];
      for (let at = 0; at < 7; at += 1) times.push(await once());
      rows.push({ name: `the whole command ${name} on a small file`, ours: median(times), unit: 's', limit: 0.25 });
    }
    const both = await sideBySide(
      () => impose('pictures.pdf'),
      () => run(peers, 'pdf-lib', file('pictures.pdf'), file('out.pdf')),
    );
    const { ours, peer: peerValue, ratio } = both;
    rows.push({
      name: 'the whole command impose, two-up, 200 pages, 330 MB',
      ours,
      unit: 's',
      peer: 'a program with pdf-lib',
      peerValue,
      ratio,
      limit: 1,
    });
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
