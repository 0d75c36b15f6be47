/**
 * Compares previews and plates with the results of other tools on the same files, by the rules in the corpus file
 * `oracle-compare.md`. Skipped when the corpus is not there.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sampled } from '@pdf2press/config/by-day';
import { FileFaultError } from '@pdf2press/contract';
import { afterAll, expect, test } from 'vitest';
import type { PagePlates } from './plates.ts';
import type { Raster } from './preview.ts';
import { openRenderService } from './render-service.ts';

const corpus = process.env.CORPUS_DIR ?? fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url));
const set = path.join(corpus, 'public');
const isThere = existsSync(path.join(set, 'oracle.json'));

interface Oracle {
  page_count: { agreed: number | null };
  gs?: { dpi: number; tiffsep?: { pages?: OraclePage[] } };
  render_p1?: {
    consensus: boolean;
    mean_abs_diff: Record<string, number>;
  } & Record<string, { w: number; h: number; grid: number[] }>;
}
interface OraclePage {
  page: number;
  mean: Record<string, number>;
  tac_max_all: number;
  tac_p999_all: number;
  frac_tac_over_300: number;
}
interface Entry {
  name: string;
  password?: string;
  tags: string[];
}

const workDir = mkdtempSync(path.join(os.tmpdir(), 'render-corpus-'));
afterAll(() => rmSync(workDir, { recursive: true, force: true }));

const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(set, file), 'utf8'));
const entries = isThere ? (readJson('manifest.json') as { entries: Entry[] }).entries : [];
const oracles = isThere ? (readJson('oracle.json') as { files: Record<string, Oracle> }).files : {};

/** Files that our renderers cannot open, with the reason. */
const unopened: Record<string, string> = {
  'pdfjs__poppler-742-0-fuzzed.pdf': 'fuzzed: the catalog is not a dictionary; no tool agrees on a page count',
  'qpdf__440747125.fuzz.pdf': 'fuzzed: the page tree has no usable page; Ghostscript fails too',
  'qpdf__65681.fuzz.pdf': 'fuzzed, no header and no page; every tool fails',
  'qpdf__issue-141a.pdf': 'not a PDF; every tool fails',
};

/** The means of 12 × 12 areas in three channels, as the box filter of the oracle computes them. */
function grid({ width, height, channels, pixels }: Raster): number[] {
  const size = 12;
  const out: number[] = [];
  for (let gy = 0; gy < size; gy += 1) {
    for (let gx = 0; gx < size; gx += 1) {
      const [x0, x1] = [(gx * width) / size, ((gx + 1) * width) / size];
      const [y0, y1] = [(gy * height) / size, ((gy + 1) * height) / size];
      const sum = [0, 0, 0];
      for (let y = Math.floor(y0); y < Math.ceil(y1); y += 1) {
        for (let x = Math.floor(x0); x < Math.ceil(x1); x += 1) {
          const weight = (Math.min(y + 1, y1) - Math.max(y, y0)) * (Math.min(x + 1, x1) - Math.max(x, x0));
          for (let c = 0; c < 3; c += 1) {
            sum[c] = (sum[c] ?? 0) + weight * (pixels[(y * width + x) * channels + c] ?? 0);
          }
        }
      }
      out.push(...sum.map((value) => value / ((x1 - x0) * (y1 - y0))));
    }
  }
  return out;
}

const difference = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;

function judgePreview(raster: Raster, oracle: NonNullable<Oracle['render_p1']>): string[] {
  const others = ['poppler', 'mupdf', 'gs'].flatMap((tool) => (oracle[tool]?.grid ? [oracle[tool]] : []));
  if (others.length === 0) return [];
  const ours = grid(raster);
  const nearest = Math.min(...others.map((other) => difference(ours, other.grid)));
  const pair = Math.min(...Object.values(oracle.mean_abs_diff), Number.POSITIVE_INFINITY);
  const faults: string[] = [];
  // When the other tools do not agree, only a blank picture counts as wrong.
  const isPicture = oracle.consensus
    ? nearest <= 8 || nearest <= 1.3 * pair
    : raster.pixels.some((value) => value !== 255);
  if (!isPicture) faults.push(`picture differs by ${nearest.toFixed(1)}`);
  const isSized = others.some(({ w, h }) => Math.abs(w - raster.width) <= 1 && Math.abs(h - raster.height) <= 1);
  if (!isSized) faults.push(`size ${raster.width} × ${raster.height}`);
  return faults;
}

/**
 * Files with colours that are converted. The default profile of Ghostscript differs from ours, so only the presence of
 * ink is compared.
 */
const convertedTags = new Set(['rgb-ops', 'icc', 'icc1', 'icc3', 'icc4', 'cal', 'lab', 'defaultcs', 'jpx', '16bit']);

/** Files without such a tag whose colours are converted nevertheless, or that no two tools draw alike. */
const notNative: Record<string, string> = {
  'pdfcpu__GridFromPDF.pdf': 'RGB in Type 3 glyphs',
  'pdfdiff__382252277877c00a92f3bb54daef1413bafe5557e2f5f7c32c23e800cd9bdcd4.pdf': 'RGB images',
  'pdfjs__issue13561_reduced.pdf': 'RGB indexed images',
  'pdfjs__issue18030.pdf': 'RGB appearance of an annotation',
  'pdfjs__issue8565.pdf': 'RGB shading in a soft mask',
  'preflight__72ppi.pdf': 'RGB image',
  'preflight__image_5mm_bleed.pdf': 'RGB image',
  'preflight__image_no_bleed.pdf': 'RGB image',
  'preflight__low_ppi_image_within_form_xobject.pdf': 'RGB image',
  'preflight__artbox_and_trimbox.pdf': 'RGB text',
  'preflight__bleedbox_larger_than_mediabox.pdf': 'RGB text',
  'preflight__rectangle_5mm_bleed.pdf': 'RGB fill',
  'qpdf__boxes.pdf': 'RGB text',
};

/** Ghostscript's tiffsep writes unusual characters of ink names as %XX in file names. */
const plainName = (name: string): string =>
  Buffer.from(
    name.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

function judgePlates(plates: PagePlates, oracle: OraclePage, isNative: boolean): string[] {
  const statistics = plates.statistics();
  const faults: string[] = [];
  for (const [name, mean] of Object.entries(oracle.mean)) {
    const index = plates.inks.findIndex((ink) => ink.name === plainName(name));
    const ours = statistics.coverage[index] ?? Number.NaN;
    const isSame = isNative
      ? Math.abs(ours - mean) <= 0.02
      : ours > 0.001 === mean > 0.001 || Math.abs(ours - mean) < 0.02;
    if (!isSame) faults.push(`${name} ${ours.toFixed(3)}, not ${mean}`);
  }
  if (!isNative) return faults;
  const total: [string, number, number, number][] = [
    ['TAC maximum', statistics.tac.max, oracle.tac_max_all, 10],
    ['TAC 99.9 percentile', statistics.tac.p999, oracle.tac_p999_all, 5],
    ['share over 300 %', statistics.tac.shareOver(300), oracle.frac_tac_over_300, 0.01],
  ];
  for (const [what, ours, theirs, tolerance] of total) {
    if (Math.abs(ours - theirs) > tolerance) faults.push(`${what} ${ours.toFixed(2)}, not ${theirs}`);
  }
  return faults;
}

async function judge(entry: Entry): Promise<{ faults: string[]; pages: number; nativePages: number }> {
  const oracle = oracles[entry.name];
  const render = openRenderService({ path: path.join(set, 'files', entry.name), password: entry.password, workDir });
  try {
    const faults = oracle?.render_p1 ? judgePreview(render.preview(1, { dpi: 72 }), oracle.render_p1) : [];
    const pages = oracle?.gs?.tiffsep?.pages ?? [];
    const dpi = oracle?.gs?.dpi ?? 72;
    const isNative = notNative[entry.name] === undefined && !entry.tags.some((tag) => convertedTags.has(tag));
    // The same setting as the Ghostscript run of the oracle.
    const options = { dpi, beyondCrop: false };
    render.expectPlates(
      pages.map(({ page }) => page),
      options,
    );
    for (const page of pages) {
      const plates = await render.plates(page.page, options);
      faults.push(...judgePlates(plates, page, isNative).map((fault) => `page ${page.page}: ${fault}`));
    }
    return { faults, pages: pages.length, nativePages: isNative ? pages.length : 0 };
  } finally {
    render.close();
  }
}

test.skipIf(!isThere)(
  `pictures and plates of the corpus agree with other tools${isThere ? '' : ' (skipped: no corpus beside the repository)'}`,
  async () => {
    // Those that cannot be opened are quickly refused.
    const chosen = sampled(entries, 8, ({ name }) => name in unopened);
    const wrong: Record<string, string[]> = {};
    const refused: string[] = [];
    const counted = { files: 0, pages: 0, nativePages: 0 };
    for (const entry of chosen) {
      try {
        const { faults, pages, nativePages } = await judge(entry);
        if (faults.length > 0) wrong[entry.name] = faults;
        counted.files += 1;
        counted.pages += pages;
        counted.nativePages += nativePages;
      } catch (error) {
        if (!(error instanceof FileFaultError)) throw error;
        refused.push(entry.name);
      }
    }
    console.log(`${counted.files} files, ${counted.pages} pages of plates, ${counted.nativePages} of native ink`);
    expect(wrong).toEqual({});
    expect(refused.sort()).toEqual(Object.keys(unopened).sort());
  },
  300_000,
);
