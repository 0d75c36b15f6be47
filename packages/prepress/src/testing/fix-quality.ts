/** What became of every file of the corpus under one action, as a line of the table that readers see. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FixActionResult } from '@pdf2press/contract';
import type { FixKey } from '../fixes/contracts.ts';
import { type Tool, toolNames, type Verdicts } from './other-tools.ts';

/** Kept for readers; `FIX_CORPUS=all FIX_QUALITY=write npx vitest run … fixes/corpus` writes it anew. */
const document = fileURLToPath(new URL('../../../../docs/fix-quality.md', import.meta.url));

export interface Tally {
  opened: number;
  refused: number;
  outcomes: Record<FixActionResult['outcome'], number>;
  /** How often each code was the reason of Skipped or Failed. */
  reasons: Map<string, number>;
  /** Results each tool takes without a fault, and those it takes as it took the original. */
  clean: Record<Tool, number>;
  asBefore: Record<Tool, number>;
  facts: number;
  /** Results that hold on to what the action is to remove, with a warning that says so. */
  leftWithWarning: number;
}
const perTool = (): Record<Tool, number> => ({ qpdf: 0, gs: 0, mutool: 0, poppler: 0 });

export const newTally = (): Tally => ({
  opened: 0,
  refused: 0,
  outcomes: { Applied: 0, NothingToDo: 0, Skipped: 0, Failed: 0 },
  reasons: new Map(),
  clean: perTool(),
  asBefore: perTool(),
  facts: 0,
  leftWithWarning: 0,
});

export function countOutcome(tally: Tally, { outcome, reason }: FixActionResult): void {
  tally.opened += 1;
  tally.outcomes[outcome] += 1;
  if (reason) tally.reasons.set(reason.code, (tally.reasons.get(reason.code) ?? 0) + 1);
}

export function countVerdicts(tally: Tally, after: Verdicts): void {
  for (const tool of toolNames) {
    const isClean = after[tool].status === 0 && !after[tool].complains;
    tally[isClean ? 'clean' : 'asBefore'][tool] += 1;
  }
}

const head = `# Fixes on other people's files

Every action, with settings that give it something to do, on every file of the public corpus that opens (the rest end in a code before any action runs). A result is counted under a tool as it takes it: cleanly, or with the fault (+) it found in the original, too; one that a tool takes worse than the original fails the test and would stand in no line here. Facts are boxes, fonts, images, spots, the mean of every plate and the pictures of three renderers, those of them that the action has no business with, before and after. Every result was put through the action a second time, which did nothing. Failed with \`gate.look\`: the pictures differed where nothing was logged, and the original was kept. Regenerate with
\`FIX_CORPUS=all FIX_QUALITY=write npx vitest run --config packages/config/vitest.config.ts --project prepress fixes/corpus\` (a quarter of an hour; \`-t Overprint\` for one line; \`PYTHON\` names one with numpy and Pillow).

| Action | files | applied | nothing to do | skipped | failed | qpdf | Ghostscript | MuPDF | poppler | facts | left, with a warning |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`;

function lineOf(key: FixKey, { opened, outcomes, reasons, clean, asBefore, facts, leftWithWarning }: Tally): string {
  const codes = [...reasons].sort(([a], [b]) => a.localeCompare(b, 'en')).map(([code, count]) => `${code} ${count}`);
  const why = codes.length > 0 ? ` (${codes.join(', ')})` : '';
  const taken = (tool: Tool): string => `${clean[tool]}${asBefore[tool] > 0 ? ` + ${asBefore[tool]}` : ''}`;
  const cells = [
    key,
    opened,
    outcomes.Applied,
    outcomes.NothingToDo,
    `${outcomes.Skipped}${outcomes.Skipped > 0 ? why : ''}`,
    `${outcomes.Failed}${outcomes.Failed > 0 ? why : ''}`,
    ...toolNames.map(taken),
    facts,
    leftWithWarning,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The document's line of an action and what was measured now; `FIX_QUALITY=write` puts the one in the other's place. */
export function documentedLine(key: FixKey, tally: Tally): { documented: string; measured: string } {
  const measured = lineOf(key, tally);
  const text = existsSync(document) ? readFileSync(document, 'utf8') : '';
  const lines = text.split('\n').filter((line) => /^\| [A-Z]\w+ \| \d/.test(line));
  if (process.env.FIX_QUALITY === 'write') {
    const others = lines.filter((line) => !line.startsWith(`| ${key} |`));
    const sorted = [...others, measured].sort((a, b) => (a < b ? -1 : 1));
    writeFileSync(document, `${head}${sorted.join('\n')}\n`);
    return { documented: measured, measured };
  }
  return { documented: lines.find((line) => line.startsWith(`| ${key} |`)) ?? '', measured };
}
