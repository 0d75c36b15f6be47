import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileFaultError, type Plan, type Rect } from '@pdf2press/contract';
import { openPdf, openRenderService, type PagePlates, type Raster, renderPreview } from '@pdf2press/pdf';
import { layoutPage } from '@pdf2press/pdf/place';
import { afterAll, expect, test } from 'vitest';
import { impose } from './impose.ts';

/*
 * Real files: every page, cut out of its sheet by the plan's coordinates, looks as it did; inks cover the same area;
 * fonts are the same; other people's tools accept the file. A selection by default, all with CORPUS_ALL=1.
 */

const corpus = findCorpus();
const files = corpus === null ? [] : readdirSync(path.join(corpus, 'files')).filter((name) => name.endsWith('.pdf'));
const every = process.env.CORPUS_ALL === '1' ? 1 : Math.ceil(files.length / 10);
const chosen = files.filter((_, index) => index % every === 0);
const workDir = mkdtempSync(path.join(os.tmpdir(), 'impose-'));
afterAll(() => rmSync(workDir, { recursive: true, force: true }));

function findCorpus(): string | null {
  for (let dir = path.dirname(fileURLToPath(import.meta.url)); dir !== path.dirname(dir); dir = path.dirname(dir)) {
    for (const candidate of [process.env.CORPUS_DIR, path.join(dir, '../shared/corpus')]) {
      if (candidate && existsSync(path.join(candidate, 'public/files'))) return path.join(candidate, 'public');
    }
  }
  return null;
}

/** What is known of files whose picture may differ, and why. */
const excused: Readonly<Record<string, string>> = {
  'pdf20__PDF_2.0_UTF-8_string_and_annotation.pdf': 'its note is shown on screen but has no Print flag',
  'preflight__transparency.pdf':
    'one page blends in RGB, the other in the inks of the press: a sheet can only do one of them',
  'pdfjs__issue18030.pdf': 'the frames of its links are drawn on screen only',
};

const profile = {
  type: 'AcrossDown',
  rows: 1,
  columns: 2,
  pages: '1-4',
  sheet: 'auto',
  mixedSizes: 'Centre',
  margins: '36pt',
  gutterH: '36pt',
  rotation: 0,
  bleed: { policy: 'None' },
  marks: { slug: { enabled: false }, crop: { enabled: false } },
};

const has = (tool: string) => spawnSync(tool, ['--version']).error === undefined;

if (corpus === null) test.skip('the corpus is not beside this checkout', () => undefined);
else if (!has('qpdf') || !has('pdffonts') || !has('gs') || !has('mutool'))
  test.skip('qpdf, poppler, gs or mutool is not installed', () => undefined);
else {
  test.each(chosen)('%s', { timeout: 120_000 }, async (name) => {
    const source = path.join(corpus, 'files', name);
    const made = await imposed(source);
    if (made === null) return;
    const { plan, out } = made;
    if (spawnSync('qpdf', ['--check', source]).status === 0) expect(spawnSync('qpdf', ['--check', out]).status).toBe(0);
    for (const [tool, args] of [
      ['pdftoppm', ['-r', '20', '-png', out, path.join(workDir, 'poppler')]],
      ['mutool', ['draw', '-r', '20', '-o', path.join(workDir, 'mutool-%d.png'), out]],
      ['gs', ['-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', '-sDEVICE=nullpage', out]],
    ] as const) {
      expect([tool, spawnSync(tool, args, { timeout: 60_000 }).status]).toEqual([tool, 0]);
    }
    expect(fontsOf(out, plan.sheets.length)).toEqual(fontsOf(source, Math.min(4, plan.pageCount)));
    if (name in excused) return;
    comparePictures(source, out, plan);
    await comparePlates(source, out, plan);
  });
}

/** The imposition, or null for files that are refused with one of the codes for it. */
async function imposed(source: string): Promise<{ plan: Plan; out: string } | null> {
  try {
    const result = await impose({ inputs: [{ path: source }], profile, outputs: ['output', 'plan'], workDir });
    if (!result.ok) {
      expect(result.problems[0]?.code).toMatch(/^impose\./);
      return null;
    }
  } catch (error) {
    expect(error).toBeInstanceOf(FileFaultError);
    return null;
  }
  const plan = JSON.parse(readFileSync(path.join(workDir, 'plan.json'), 'utf8')) as Plan;
  return { plan, out: path.join(workDir, 'imposed.pdf') };
}

/** Names, kinds and embedding of the fonts of the first pages, without subset prefixes. */
function fontsOf(file: string, pages: number): string[] {
  const listed = spawnSync('pdffonts', ['-l', String(pages), file], { encoding: 'utf8' })
    .stdout.split('\n')
    .slice(2);
  const fonts = listed.filter(Boolean).map(
    (line) =>
      `${line
        .slice(0, 36)
        .replace(/^[A-Z]{6}\+/, '')
        .trim()} ${line.slice(37, 54).trim()} ${line.slice(71, 82).trim()}`,
  );
  return [...new Set(fonts)].sort();
}

/** Where a page's trim lies on the sheet: the middle of its cell. */
const placeOf = (cell: Rect, trim: Rect): Rect => ({
  x: cell.x + (cell.width - trim.width) / 2,
  y: cell.y + (cell.height - trim.height) / 2,
  width: trim.width,
  height: trim.height,
});

function comparePictures(source: string, out: string, plan: Plan): void {
  const [before, after] = [openPdf({ path: source }), openPdf({ path: out })];
  const boxes = before.pages.map(layoutPage);
  for (const sheet of plan.sheets) {
    for (const cell of sheet.front.cells) {
      const trim = boxes[cell.page - 1]?.trim;
      if (!trim) continue;
      const { x, y, width, height } = placeOf(cell, trim);
      const dpi = Math.min(72, 72_000 / Math.max(width, height));
      let own: Raster;
      try {
        own = renderPreview(before, cell.page, { dpi, box: 'trim' });
      } catch {
        // What cannot be drawn alone cannot be compared.
        continue;
      }
      const cut = renderPreview(after, sheet.number, { dpi, box: 'media', clip: [x, y, x + width, y + height] });
      expect(difference(own, cut)).toBeLessThan(6);
    }
  }
  before.close();
  after.close();
}

/** The largest difference (0–255) of the means of 12 × 12 fields. */
function difference(a: Raster, b: Raster): number {
  const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)];
  const [sums, counts] = [new Float64Array(144), new Float64Array(144)];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const field = Math.floor((y * 12) / height) * 12 + Math.floor((x * 12) / width);
      for (let c = 0; c < 3; c++) {
        const [one, other] = [
          a.pixels[(y * a.width + x) * a.channels + c] ?? 0,
          b.pixels[(y * b.width + x) * b.channels + c] ?? 0,
        ];
        sums[field] = (sums[field] ?? 0) + one - other;
        counts[field] = (counts[field] ?? 0) + 1;
      }
    }
  }
  return Math.max(...sums.map((sum, field) => Math.abs(sum) / (counts[field] || 1)));
}

/** Ink on the first sheet is the ink of its pages: mean coverage × area, plate by plate, spots among them. */
async function comparePlates(source: string, out: string, plan: Plan): Promise<void> {
  const [before, after] = [openRenderService({ path: source, workDir }), openRenderService({ path: out, workDir })];
  try {
    const [sheet] = plan.sheets;
    if (!sheet || sheet.width * sheet.height > 4_000_000) return;
    const dpi = 72;
    const expected = new Map<string, number>();
    const boxes = before.file.pages.map(layoutPage);
    for (const { page } of sheet.front.cells.filter((cell) => cell.page > 0)) {
      const trim = boxes[page - 1]?.trim;
      const plates = await before.plates(page, { dpi, box: 'trim' });
      if (plates.hasErrors || !trim) return;
      for (const [name, mean] of coverage(plates))
        expected.set(
          name,
          (expected.get(name) ?? 0) + (mean * trim.width * trim.height) / (sheet.width * sheet.height),
        );
    }
    const found = coverage(await after.plates(1, { dpi, box: 'media' }));
    for (const [name, mean] of expected) {
      if (mean > 0.0005 || found.has(name))
        expect([name, Math.abs((found.get(name) ?? 0) - mean) <= 0.006]).toEqual([name, true]);
    }
  } catch (error) {
    // Pages that Ghostscript cannot separate have no plates to compare.
    if (!(error instanceof FileFaultError)) throw error;
  } finally {
    before.close();
    after.close();
  }
}

const coverage = (plates: PagePlates): Map<string, number> =>
  new Map(plates.inks.map((ink, index) => [ink.name, plates.statistics().coverage[index] ?? 0]));
