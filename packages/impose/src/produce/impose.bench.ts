import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { type BenchRow, measure, median, sideBySide } from '@pdf2press/config/bench';
import { buildPdf, writeImagePdf, writeTextPdf } from '@pdf2press/pdf/testing';

const { resolve } = createRequire(import.meta.url);
const program = resolve('@pdf2press/impose/once');
const peers = resolve('@pdf2press/pdf/impose-peers');

const twoUp = { type: 'AcrossDown', rows: 1, columns: 2, sheet: 'auto', rotation: 0, gutterH: '0mm' };
const booklet = { type: 'SaddleStitch', sheet: 'auto' };
const tenThousand = { type: 'StepNRepeat', rows: 100, columns: 100, sheet: '9500x9500mm', rotation: 0 };

/** Speed relative to copying the file and to other libraries; memory independent of the file size. */
export async function bench(): Promise<BenchRow[]> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'impose-bench-'));
  try {
    return await rows(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Runs a program that prints its own duration, so that the start of Node.js is not measured. */
function timed(args: string[]): number {
  const run = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${path.basename(args[0] ?? '')} failed: ${run.stderr}`);
  return (JSON.parse(run.stdout) as { seconds: number }).seconds;
}

async function rows(dir: string): Promise<BenchRow[]> {
  const file = (name: string) => path.join(dir, name);
  const out = file('imposed.pdf');
  const ours = (input: string, profile: object) => {
    rmSync(out, { force: true });
    const request = file('request.json');
    writeFileSync(request, JSON.stringify({ inputs: [{ path: input }], profile, outputs: ['output'], workDir: dir }));
    return [program, request];
  };
  const seconds = async (input: string, profile: object) => timed(ours(input, profile));
  const library = async (name: string, input: string) => {
    rmSync(file('peer.pdf'), { force: true });
    return timed([peers, name, input, file('peer.pdf')]);
  };
  const command = async (name: string, args: string[]) => {
    rmSync(file('peer.pdf'), { force: true });
    return (await measure(name, args)).seconds;
  };

  const [pictures, text, card] = [file('pictures.pdf'), file('text.pdf'), file('card.pdf')];
  writeImagePdf(pictures, 200, 1_650_000);
  writeTextPdf(text, 1000);
  writeFileSync(card, buildPdf({ pages: [{ content: '0 1 0 0 k 0 0 240 150 re f', mediaBox: [0, 0, 240, 150] }] }));

  const found: BenchRow[] = [];
  const against = async (
    name: string,
    input: string,
    profile: object,
    peerName: string,
    run: () => Promise<number>,
    limit: number,
  ) => {
    const both = await sideBySide(() => seconds(input, profile), run);
    found.push({ name, ours: both.ours, unit: 's', peer: peerName, peerValue: both.peer, ratio: both.ratio, limit });
  };
  const megabytes = Math.round(statSync(pictures).size / 1e6);
  await against(
    `two-up, 200 pages, ${megabytes} MB`,
    pictures,
    twoUp,
    'cp',
    () => command('cp', [pictures, file('peer.pdf')]),
    2.5,
  );
  for (const [name, input] of [
    [`two-up, 200 pages, ${megabytes} MB`, pictures],
    ['two-up, 1000 pages of text', text],
  ] as const) {
    await against(name, input, twoUp, 'pdf-lib', () => library('pdf-lib', input), 1);
    await against(name, input, twoUp, 'MuPDF graft', () => library('graft', input), 1);
  }
  // Ghostscript decodes images; those of the first file are random bytes that cannot be decoded.
  if (spawnSync('gs', ['--version']).error === undefined) {
    const args = [
      '-q',
      '-dNOPAUSE',
      '-dBATCH',
      '-dSAFER',
      '-sDEVICE=pdfwrite',
      '-sNupControl=2x1',
      `-sOutputFile=${file('peer.pdf')}`,
      text,
    ];
    await against('two-up, 1000 pages of text', text, twoUp, 'Ghostscript', () => command('gs', args), 1);
  }
  const alone = async (name: string, input: string, profile: object, limit: number) => {
    const runs = [await seconds(input, profile), await seconds(input, profile), await seconds(input, profile)];
    found.push({ name, ours: median(runs), unit: 's', limit });
  };
  await alone('saddle stitch, 1000 pages of text', text, booklet, 1);
  await alone('10,000 cells of one page', card, tenThousand, 1);
  for (const pages of [60, 180, 600]) {
    const big = file(`big-${pages}.pdf`);
    writeImagePdf(big, pages, 1_650_000);
    found.push({
      name: `memory, two-up of ${Math.round(statSync(big).size / 1e6)} MB`,
      ours: (await measure(process.execPath, ours(big, twoUp))).peakMegabytes,
      unit: 'MB',
      limit: 160,
    });
    rmSync(big);
  }
  return found;
}
