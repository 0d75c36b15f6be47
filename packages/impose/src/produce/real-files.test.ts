import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Cell, FileFaultError, type Plan, type Rect } from '@pdf2press/contract';
import { openPdf, openRenderService, type PagePlates, type PdfFile, type Raster, renderPreview } from '@pdf2press/pdf';
import { layoutPage } from '@pdf2press/pdf/place';
import { afterAll, expect, test } from 'vitest';
import { impose } from './impose.ts';

/*
 * Real files: every page, cut out of its sheet by the plan's coordinates, looks unchanged; ink coverage and fonts are the
 * same; other tools accept the file. A selection of files by default, all with CORPUS_ALL=1.
 */

const corpus = findCorpus();
const files = corpus === null ? [] : readdirSync(path.join(corpus, 'files')).filter((name) => name.endsWith('.pdf'));
const every = process.env.CORPUS_ALL === '1' ? 1 : Math.ceil(files.length / 6);
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

/** Files whose rendering may differ, and why. */
const excused: Readonly<Record<string, string>> = {
  'pdf20__PDF_2.0_UTF-8_string_and_annotation.pdf': 'its note is shown on screen but has no Print flag',
  'preflight__transparency.pdf':
    'one page blends in RGB, the other in the inks of the press: a sheet can only do one of them',
  'pdfjs__issue18030.pdf': 'the frames of its links are drawn on screen only',
};

const common = {
  pages: '1-4',
  sheet: 'auto',
  mixedSizes: 'Centre',
  margins: '36pt',
  bleed: { policy: 'None' },
  marks: { slug: { enabled: false }, crop: { enabled: false }, fold: { enabled: false } },
};

/** Layouts that place, rotate, scale and shift pages in every way. */
const ways: Readonly<Record<string, Record<string, unknown>>> = {
  'two up': { type: 'AcrossDown', rows: 1, columns: 2, gutterH: '36pt', rotation: 0 },
  'a quarter turned, head to head': {
    type: 'DownAcross',
    rows: 2,
    columns: 1,
    gutterV: '36pt',
    rotation: 90,
    rowsOrientation: 'HeadToHead',
  },
  'a folded section of eight': {
    type: 'SaddleStitch',
    signatureSize: 8,
    trim: { head: '18pt', foot: '18pt', face: '18pt' },
  },
  'cut and stacked, tumbled': {
    type: 'CutAndStack',
    rows: 1,
    columns: 2,
    gutterH: '36pt',
    rotation: 270,
    duplex: true,
    workStyle: 'Perfecting',
  },
  'repeated, work and turn': {
    type: 'StepNRepeat',
    rows: 1,
    columns: 2,
    gutterH: '36pt',
    rotation: 180,
    duplex: true,
    workStyle: 'WorkAndTurn',
  },
  'scaled, moved by creep': {
    type: 'SaddleStitch',
    trim: { head: '18pt', foot: '18pt', face: '18pt' },
    pageScaling: { mode: 'Proportional', percent: 70 },
    creep: { paperThickness: '2mm' },
  },
  'on stations, every second head down': {
    type: 'DieCut',
    rows: 1,
    columns: 2,
    duplex: false,
    stations: { nesting: 'InterlockRotate180', gap: '36pt' },
  },
};

const has = (tool: string) => spawnSync(tool, ['--version']).error === undefined;

if (corpus === null) test.skip('the corpus is not beside this checkout', () => undefined);
else if (!has('qpdf') || !has('pdffonts') || !has('gs') || !has('mutool'))
  test.skip('qpdf, poppler, gs or mutool is not installed', () => undefined);
else {
  test.each(chosen)('%s', async (name) => {
    const source = path.join(corpus, 'files', name);
    const made = await imposed(source, 'two up');
    if (made === null) return;
    const { plan, out } = made;
    isAccepted(source, out, 'two up');
    for (const [tool, args] of [
      ['pdftoppm', ['-r', '20', '-png', out, path.join(workDir, 'poppler')]],
      ['mutool', ['draw', '-r', '20', '-o', path.join(workDir, 'mutool-%d.png'), out]],
      ['gs', ['-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', '-sDEVICE=nullpage', out]],
    ] as const) {
      expect([tool, spawnSync(tool, args, { timeout: 200_000 }).status]).toEqual([tool, 0]);
    }
    expect(fontsOf(out, plan.sheets.length)).toEqual(fontsOf(source, Math.min(4, plan.pageCount)));
    if (name in excused) return;
    comparePictures(source, out, plan);
    await comparePlates(source, out, plan);
  });

  // Each file with one of the other layouts, or with all of them under CORPUS_ALL=1.
  const turned = Object.keys(ways).slice(1);
  const tries = chosen.flatMap((name, index) =>
    (every === 1 ? turned : [turned[index % turned.length] ?? '']).map((way): [string, string] => [name, way]),
  );
  test.each(tries)('%s, %s', async (name, way) => {
    const source = path.join(corpus, 'files', name);
    const made = await imposed(source, way);
    if (made === null || name in excused) return;
    isAccepted(source, made.out, way);
    comparePictures(source, made.out, made.plan);
  });
}

/** qpdf reports no error that the source file does not have. */
function isAccepted(source: string, out: string, way: string): void {
  if (spawnSync('qpdf', ['--check', source]).status !== 0) return;
  expect([way, spawnSync('qpdf', ['--check', out]).status]).toEqual([way, 0]);
}

/** Imposes a file; null when it is refused with one of the expected codes. */
async function imposed(source: string, way: string): Promise<{ plan: Plan; out: string } | null> {
  const profile = { ...common, ...ways[way] };
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

/** Name, type and embedding of the fonts on the first pages, without subset prefixes. */
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

/** The area of a page's trim on the sheet: about the centre of its cell, scaled and shifted. */
const placeOf = ({ rotation, scale, shift, ...cell }: Cell, trim: Rect): Rect => {
  const [across, up] = [trim.width * scale.x, trim.height * scale.y];
  const [width, height] = rotation % 180 === 0 ? [across, up] : [up, across];
  return {
    x: cell.x + shift.x + (cell.width - width) / 2,
    y: cell.y + shift.y + (cell.height - height) / 2,
    width,
    height,
  };
};

/** Excludes the edge that creep moves out of the cell, where it is clipped. */
const isWhole = ({ clip }: Cell, place: Rect): boolean =>
  place.x >= clip.x - 0.01 &&
  place.y >= clip.y - 0.01 &&
  place.x + place.width <= clip.x + clip.width + 0.01 &&
  place.y + place.height <= clip.y + clip.height + 0.01;

function comparePictures(source: string, out: string, plan: Plan): void {
  const [before, after] = [openPdf({ path: source }), openPdf({ path: out })];
  const boxes = before.pages.map(layoutPage);
  const own = new Map<string, Raster | null>();
  let output = 0;
  for (const side of plan.sheets.flatMap(({ front, back }) => (back ? [front, back] : [front]))) {
    output += 1;
    for (const cell of side.cells) {
      const trim = boxes[cell.page - 1]?.trim;
      if (!trim) continue;
      const place = placeOf(cell, trim);
      const { x, y, width, height } = place;
      if (!isWhole(cell, place)) continue;
      // Positions differ by less than one pixel, which must not be a large part of a small page.
      const isOnGrid = cell.rotation === 0 && cell.scale.x === 1 && x % 1 === 0 && y % 1 === 0;
      const dpi = isOnGrid
        ? Math.min(72, 72_000 / Math.max(width, height))
        : Math.min(1200, 150_000 / Math.max(width, height));
      const key = `${cell.page} ${dpi}`;
      if (!own.has(key)) own.set(key, drawnAlone(before, cell.page, dpi * cell.scale.x));
      const page = own.get(key);
      // A page that cannot be rendered by itself cannot be compared.
      if (!page) continue;
      const cut = renderPreview(after, output, { dpi, box: 'media', clip: [x, y, x + width, y + height] });
      expect(difference(page, upright(cut, cell.rotation))).toBeLessThan(6);
    }
  }
  before.close();
  after.close();
}

function drawnAlone(file: PdfFile, page: number, dpi: number): Raster | null {
  try {
    return renderPreview(file, page, { dpi, box: 'trim' });
  } catch {
    return null;
  }
}

/** Rotates the picture of a counter-clockwise rotated page back to upright. */
function upright(picture: Raster, rotation: Cell['rotation']): Raster {
  if (rotation === 0) return picture;
  const { width: w, height: h, channels, pixels } = picture;
  const [width, height] = rotation === 180 ? [w, h] : [h, w];
  const turned = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = { 90: [y, h - 1 - x], 180: [w - 1 - x, h - 1 - y], 270: [w - 1 - y, x] }[rotation] as [
        number,
        number,
      ];
      const [to, from] = [(y * width + x) * channels, (fromY * w + fromX) * channels];
      for (let c = 0; c < channels; c++) turned[to + c] = pixels[from + c] ?? 0;
    }
  }
  return { ...picture, width, height, pixels: turned };
}

/** The largest difference (0–255) between the mean values of 12 × 12 fields. */
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

/**
 * Compares the ink on the first sheet with that of its pages: mean coverage × area per plate, spot colours included.
 */
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
    // Ghostscript cannot separate every page.
    if (!(error instanceof FileFaultError)) throw error;
  } finally {
    before.close();
    after.close();
  }
}

const coverage = (plates: PagePlates): Map<string, number> =>
  new Map(plates.inks.map((ink, index) => [ink.name, plates.statistics().coverage[index] ?? 0]));
