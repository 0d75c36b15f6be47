/** Whole print jobs of every house preset: by day one of some, at night those whose scores are in docs/preflight-quality.md. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNight, sampled } from '@pdf2press/config/by-day';
import { seeded } from '@pdf2press/config/seeded';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { presets } from '../../presets/presets.ts';
import { encodeJpegs } from './faults.ts';
import { products } from './products.ts';
import { jobsLines, jobsText, tallyOf } from './score.ts';

const document = fileURLToPath(new URL('../../../../../docs/preflight-quality.md', import.meta.url));
const heading = '\n## Whole jobs\n';
const directory = mkdtempSync(path.join(os.tmpdir(), 'jobs-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
beforeAll(encodeJpegs);

const count = isNight ? 12 : 2;
/** No job was drawn from it while presets and checks were changed. */
const freshSeed = 20_261;
/** By day few jobs are drawn, and none with a miss that is in the docs. */
const daySeed = 13;
/** Presets whose jobs were mended after their first score: they are drawn anew. */
const fresherSeeds: Readonly<Record<string, number>> = { 'newspaper-ad': 20_262 };
/** Above the table. */
const about = `${heading}\nWhole files as they come for a product: pages with boxes, marks, background, headline, text and objects in forms, groups, patterns, clips, layers and masks. In three of four, one to four things are wrong that an expert of that product would tell (\`quality/jobs/faults.ts\`), drawn without looking at the checks; beside them are up to ten that are right, most of them near a limit or hidden, or wrong for other products only. Told: a finding of a rule that means it, on its page. As error or warning: with the severity that an expert gives it. With reason: rules said of a file for which something is wrong with it. ${count} files each, drawn with numbers that no job was drawn with while checks and presets were changed. The first jobs of *newspaper-ad* had RGB beside the page, which PDF/X-4 forbids; they were mended and drawn anew. Of what is missed or graded otherwise: a picture that ends just inside the trim along less than half of an edge is told as too near it (SafetyDistance), not as lacking bleed; a code with a shape in its quiet zone is often not read at all, which is a warning. To draw, judge and write them run\n\`PREFLIGHT_QUALITY=write NIGHT=1 npx vitest run --config packages/config/vitest.config.ts --project preflight jobs\`.\n\n`;

/** The lines of a preset in the docs; `PREFLIGHT_QUALITY=write` replaces them by those of this run. */
function documented(preset: string, measured: readonly string[]): readonly string[] {
  const [head = '', section = ''] = readFileSync(document, 'utf8').split(heading);
  const isOwn = (line: string) => line.startsWith(`| ${preset} |`) || line.startsWith(`- ${preset}, job `);
  const rows = products.map((product) => product.preset);
  const all = section
    .split('\n')
    .filter((line) => rows.some((name) => line.startsWith(`| ${name} |`) || line.startsWith(`- ${name}, job `)));
  if (process.env.PREFLIGHT_QUALITY !== 'write') return all.filter(isOwn);
  writeFileSync(document, head + about + jobsText([...all.filter((line) => !isOwn(line)), ...measured]));
  return measured;
}

test('every house preset has its product', () => {
  const house = presets.filter(({ group }) => group === 'house').map(({ key }) => key);
  expect(products.map(({ preset }) => preset).sort()).toEqual([...house].sort());
});

test.each(sampled(products, 4).map((product) => [product.preset, product] as const))(
  '%s says of whole jobs what an expert says',
  { timeout: 100_000 * count },
  async (_, product) => {
    const random = seeded(isNight ? (fresherSeeds[product.preset] ?? freshSeed) : daySeed);
    const tally = await tallyOf(product, count, random, path.join(directory, `${product.preset}.pdf`));
    // What a run of the night found is in the docs, preset by preset.
    if (isNight) expect(documented(product.preset, jobsLines(tally))).toEqual(jobsLines(tally));
    expect(tally.files).toBe(count);
    expect(tally.told / Math.max(1, tally.planted), tally.misses.join('\n')).toBeGreaterThanOrEqual(0.9);
    expect(tally.reasoned / Math.max(1, tally.said), tally.misses.join('\n')).toBeGreaterThanOrEqual(0.9);
  },
);
