import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Cell, Plan } from '@pdf2press/contract';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { impose } from './impose.ts';

/* Where turned pages lie on the printed sheet, by renderers that the project does not draw with. */

const dir = mkdtempSync(path.join(os.tmpdir(), 'bottling-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const [width, height] = [200, 300];
/** A square of 4 points, off the middle so that its place tells the direction: its centre from the lower left of the trim. */
const dot = { x: 190, y: 12 };
/** Page 1 has a black square on white; the others are empty. */
const source = path.join(dir, 'book.pdf');
writeFileSync(
  source,
  buildPdf({
    pages: Array.from({ length: 8 }, (_, index) => ({
      mediaBox: [0, 0, width + 40, height + 40],
      extra: `/TrimBox [20 20 ${20 + width} ${20 + height}] /BleedBox [10 10 ${30 + width} ${30 + height}]`,
      // Ink beyond the bleed must not be printed, wherever the page is turned to.
      content:
        index === 0 ? `0 g ${20 + dot.x - 2} ${20 + dot.y - 2} 4 4 re f ${width + 31} 0 9 ${height + 40} re f` : '',
    })),
  }),
);
const angle = -1.5;
const dpi = 144;

/** Renders the first page to grey and gives width, height and pixels. */
const renderers: Readonly<Record<string, (pdf: string, out: string) => [string, string[]]>> = {
  mutool: (pdf, out) => ['mutool', ['draw', '-q', '-r', String(dpi), '-c', 'gray', '-o', `${out}.pgm`, pdf, '1']],
  pdftoppm: (pdf, out) => ['pdftoppm', ['-r', String(dpi), '-gray', '-singlefile', pdf, out]],
};

function readPgm(file: string): { width: number; height: number; at: (x: number, y: number) => number } {
  const bytes = readFileSync(file);
  const [head = '', columns = '0', rows = '0'] =
    /^P5\s+(?:#[^\n]*\n)*(\d+)\s+(\d+)\s+\d+\s/.exec(bytes.toString('latin1')) ?? [];
  const [w, h] = [Number(columns), Number(rows)];
  return { width: w, height: h, at: (x, y) => bytes[head.length + y * w + x] ?? 255 };
}

test.each(Object.keys(renderers))(
  '%s draws the content of a turned page where its corner and angle say',
  async (tool) => {
    const profile = {
      ...{ type: 'PerfectBound', signatureSize: 8, sheet: '700x900pt', millingDepth: '10pt' },
      ...{
        marks: { crop: false, slug: false, fold: false, collation: false },
        bottling: { outermost: angle, innermost: 0 },
      },
    };
    const made = await impose({ inputs: [{ path: source }], profile, outputs: ['output', 'plan'], workDir: dir });
    if (!made.ok) throw new Error(JSON.stringify(made.problems));
    const plan = JSON.parse(readFileSync(path.join(dir, 'plan.json'), 'utf8')) as Plan;
    const [sheet] = plan.sheets;
    const cell = sheet?.front.cells.find(({ page }) => page === 1) as Cell;
    // A right-hand page that stands upright: its spine is on the left, and its head stays there.
    expect([cell.rotation, cell.bottle?.axis]).toEqual([0, 'SpineHead']);
    const a = (angle * Math.PI) / 180;
    const [dx, dy] = [dot.x, dot.y - height];
    const wanted = {
      x: cell.x + dx * Math.cos(a) - dy * Math.sin(a),
      y: cell.y + height + dx * Math.sin(a) + dy * Math.cos(a),
    };
    const out = path.join(dir, tool);
    const [program, options] = renderers[tool]?.(path.join(dir, 'imposed.pdf'), out) ?? ['', []];
    const run = spawnSync(program, options);
    if (run.error) return console.warn(`skipped: ${tool} is not installed`);
    const picture = readPgm(`${out}.pgm`);
    let [mass, sumX, sumY] = [0, 0, 0];
    for (let y = 0; y < picture.height; y++) {
      for (let x = 0; x < picture.width; x++) {
        const ink = 255 - picture.at(x, y);
        mass += ink;
        sumX += ink * (x + 0.5);
        sumY += ink * (y + 0.5);
      }
    }
    const perPoint = dpi / 72;
    // 16 square points of ink and nothing else: what lies beyond the bleed is cut off.
    expect(mass / 255 / perPoint ** 2).toBeCloseTo(16, 0);
    expect(sumX / mass / perPoint).toBeCloseTo(wanted.x, 1);
    expect((sheet?.height ?? 0) - sumY / mass / perPoint).toBeCloseTo(wanted.y, 1);
  },
);
