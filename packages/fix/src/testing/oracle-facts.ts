/**
 * Facts of fixed files as reported by other tools (poppler, MuPDF, qpdf, and Ghostscript for plates). The corpus has
 * those of the originals and the script that collects them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type FixKey, fixContracts } from '../fixes/contracts.ts';
import type { GuardedFact } from '../kind/define-fix.ts';
import { corpus } from './corpus-cases.ts';

const script = path.join(corpus, 'oracle.py');
const python = process.env.PYTHON ?? 'python3';
export const canAskOracle = (): boolean =>
  existsSync(script) && spawnSync(python, ['-c', 'import numpy, PIL']).status === 0;

interface Box {
  size?: readonly [number, number];
}
type Picture = { w?: number; h?: number; grid?: readonly number[] };
export interface OracleFacts {
  page_count: { agreed: number | null };
  pdfinfo: { pages?: Box[] };
  pdffonts: { fonts?: { name?: string | null; type?: string; embedded?: boolean }[] };
  pdfimages: { images?: { page?: number; type?: string; w?: number; h?: number }[] };
  mutool: { pages: Record<string, unknown>[] | object };
  gs?: { dpi?: number; tiffsep?: { spots?: string[]; pages?: { page: number; mean: Record<string, number> }[] } };
  render_p1?: Record<string, Picture | unknown>;
}
const factsOf = (dir: string): Record<string, OracleFacts> =>
  (JSON.parse(readFileSync(path.join(dir, 'oracle.json'), 'utf8')) as { files: Record<string, OracleFacts> }).files;

/** Facts of the original corpus files. */
export const oracleOfCorpus = (): Record<string, OracleFacts> => factsOf(path.join(corpus, 'public'));

/** Facts of the named files in `files/` of a directory. */
export function askOracle(dir: string, names: readonly string[]): Record<string, OracleFacts> {
  writeFileSync(
    path.join(dir, 'manifest.json'),
    JSON.stringify({ entries: names.map((name) => ({ name, sha256: '' })) }),
  );
  spawnSync(python, [script, dir], { stdio: 'ignore' });
  // Asks again for files without an answer: on a busy machine a tool may fail to start.
  const silent = names.filter((name) => !factsOf(dir)[name]?.render_p1);
  if (silent.length > 0) spawnSync(python, [script, dir, ...silent], { stdio: 'ignore' });
  return factsOf(dir);
}

const rounded = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((edge) => Math.round(Number(edge) * 20) / 20) : value;

/** A guarded fact as reported by the tools, for comparison. */
const seen: Partial<Record<GuardedFact, (facts: OracleFacts) => unknown>> = {
  pageCount: (facts) => facts.page_count.agreed,
  boxes: ({ mutool: { pages }, page_count: { agreed } }) =>
    // Without a MediaBox in the file the tool reports a default, which is not compared.
    Array.isArray(pages) && agreed !== null && pages.every((page) => 'MediaBox' in page)
      ? pages.map((page) =>
          Object.fromEntries(Object.entries(page as object).map(([key, value]) => [key, rounded(value)])),
        )
      : null,
  fonts: ({ pdffonts: { fonts = [] } }) =>
    fonts.map(({ name, type, embedded }) => `${name?.replace(/^[A-Z]{6}\+/, '')} ${type} ${embedded}`).sort(),
  images: ({ pdfimages: { images = [] } }) => images.map(({ page, type, w, h }) => `${page} ${type} ${w} ${h}`).sort(),
  inks: ({ gs }) => gs?.tiffsep?.spots ?? null,
};
/** Facts that an action leaves unchanged with the settings of this test, although its contract allows changes. */
const guardedAnyway: Partial<Record<FixKey, readonly GuardedFact[]>> = {
  ColorspaceTransformation: ['images', 'inks'],
  TruncatePages: ['fonts', 'images', 'inks'],
};
/** Actions that only add content outside the trim: no ink decreases. */
const onlyAdd: readonly FixKey[] = ['AddTrimMarks'];
/** Images inside Type 3 glyphs become page images. */
const addedAnyway: Partial<Record<FixKey, GuardedFact>> = { FontsOutline: 'images' };
const isPart = (
  fact: ((facts: OracleFacts) => unknown) | undefined,
  before: OracleFacts,
  after: OracleFacts,
): boolean => {
  const [some, all] = [before, after].map((facts) => fact?.(facts));
  return Array.isArray(some) && Array.isArray(all) && some.every((one) => all.includes(one));
};
const process4 = ['Cyan', 'Magenta', 'Yellow', 'Black'];

/** Page boxes and areas: means of plates are comparable only for the same area. */
const edgesOf = ({ mutool: { pages } }: OracleFacts): { text: string; area: number }[] =>
  Array.isArray(pages)
    ? (pages as Record<string, unknown>[]).map(({ MediaBox, CropBox, rot, userunit }) => {
        const [left = 0, bottom = 0, right = 0, top = 0] = Array.isArray(MediaBox) ? (MediaBox as number[]) : [];
        const text = JSON.stringify([rounded(MediaBox), rounded(CropBox ?? MediaBox), rot, userunit]);
        return { text, area: (right - left) * (top - bottom) * Number(userunit) ** 2 };
      })
    : [];

/** Plates whose mean changed by more than half a percent; on enlarged pages, those that lost as much. */
function changedPlates(
  before: OracleFacts,
  after: OracleFacts,
  { counts, isGrown }: { counts: (name: string) => boolean; isGrown: boolean },
): string[] {
  const [areas, areasNow] = [edgesOf(before), edgesOf(after)];
  return (before.gs?.tiffsep?.pages ?? []).flatMap(({ page, mean }, index) => {
    const now = after.gs?.tiffsep?.pages?.[index]?.mean ?? {};
    const [area, areaNow] = [areas[page - 1]?.area || 1, areasNow[page - 1]?.area || 1];
    return [...new Set([...Object.keys(mean), ...Object.keys(now)])]
      .filter((name) => {
        const change = isGrown
          ? ((now[name] ?? 0) * areaNow) / area - (mean[name] ?? 0)
          : (now[name] ?? 0) - (mean[name] ?? 0);
        return counts(name) && (isGrown ? change < -0.005 : Math.abs(change) > 0.005);
      })
      .map((name) => `plate ${name} of page ${page}: ${mean[name]} is ${now[name]}`);
  });
}

const isPicture = (value: unknown): value is Required<Picture> =>
  typeof value === 'object' && value !== null && 'grid' in value;

/** 12 × 12 means of the first page by three renderers that differ by more than `levels`. */
function changedPictures(before: OracleFacts, after: OracleFacts, levels: number): string[] {
  return Object.entries(before.render_p1 ?? {}).flatMap(([tool, one]) => {
    const two = after.render_p1?.[tool];
    if (!isPicture(one) || !isPicture(two)) return [];
    const sum = one.grid.reduce((total, level, index) => total + Math.abs(level - (two.grid[index] ?? 0)), 0);
    const mean = sum / one.grid.length;
    return mean > levels || one.w !== two.w || one.h !== two.h
      ? [`picture by ${tool}: ${one.w} × ${one.h} is ${two.w} × ${two.h}, ${mean.toFixed(1)} levels apart`]
      : [];
  });
}

/** Number of facts compared, and those that changed although the action may not change them. */
export function comparedFacts(
  key: FixKey,
  before: OracleFacts,
  after: OracleFacts,
): { count: number; changed: string[] } {
  const { mayChange, mayLookDifferent, redrawsEdges } = fixContracts[key];
  const mayAdd: readonly GuardedFact[] = [...fixContracts[key].mayAdd, ...(addedAnyway[key] ? [addedAnyway[key]] : [])];
  const guarded = (Object.keys(seen) as GuardedFact[]).filter(
    (fact) => !mayChange.includes(fact) || guardedAnyway[key]?.includes(fact),
  );
  const changed = guarded.flatMap((fact) => {
    const [one, two] = [before, after].map((facts) => JSON.stringify(seen[fact]?.(facts)));
    // A fact on which the tools disagree for the original is not compared.
    const isSame = one === two || one === 'null' || (mayAdd.includes(fact) && isPart(seen[fact], before, after));
    return isSame ? [] : [`${fact}: ${one} is ${two}`];
  });
  const [edges, edgesNow] = [edgesOf(before), edgesOf(after)];
  const hasSameEdges = edges.length > 0 && edges.every(({ text }, index) => text === edgesNow[index]?.text);
  // RemoveOutside removes content outside the bleed, and the pictures show the whole page.
  const looksTheSame = (mayLookDifferent === 'nowhere' && key !== 'RemoveOutside') || key === 'TruncatePages';
  const known = new Set((before.gs?.tiffsep?.pages ?? []).flatMap(({ mean }) => Object.keys(mean)));
  const isCompared = (plate: string): boolean => !mayAdd.includes('inks') || known.has(plate);
  const counts = (plate: string): boolean => (looksTheSame || !process4.includes(plate)) && isCompared(plate);
  const isGrown = onlyAdd.includes(key);
  // Ghostscript does not anti-alias plates, so plates of different resolution differ. Text drawn as shapes fills every
  // pixel it touches; there the anti-aliased pictures are compared instead.
  const isAsFine = (before.gs?.dpi ?? 72) === (after.gs?.dpi ?? 72);
  const comparesPlates = guarded.includes('inks') && (hasSameEdges || isGrown) && isAsFine && !redrawsEdges;
  // Renderers show CMYK through the output intent.
  const comparesPictures = looksTheSame && hasSameEdges && !isGrown && !mayChange.includes('outputIntents');
  return {
    count: guarded.length + (comparesPlates ? 1 : 0) + (comparesPictures ? 1 : 0),
    changed: [
      ...changed,
      ...(comparesPlates ? changedPlates(before, after, { counts, isGrown }) : []),
      // Text drawn as shapes looks slightly bolder, which affects the mean of a very small page.
      ...(comparesPictures ? changedPictures(before, after, redrawsEdges ? 8 : 3) : []),
    ],
  };
}
