/** Counts the results of one action on all corpus files, as a line of the table in docs/fix-quality.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FixActionResult } from '@pdf2press/contract';
import { type Tool, toolNames, type Verdicts } from '@pdf2press/pdf/testing';
import type { FixKey } from '../fixes/contracts.ts';

/** Written by `FIX_CORPUS=all FIX_QUALITY=write npx vitest run … fixes/corpus`. */
const document = fileURLToPath(new URL('../../../../docs/fix-quality.md', import.meta.url));

export interface Tally {
  opened: number;
  refused: number;
  outcomes: Record<FixActionResult['outcome'], number>;
  /** Number of results by reason of Skipped or Failed. */
  reasons: Map<string, number>;
  /** Results that a tool reads without a fault; `asBefore`: with the faults it reports for the original. */
  clean: Record<Tool, number>;
  asBefore: Record<Tool, number>;
  facts: number;
  /** Results that keep something the action should remove, with a warning about it. */
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

const head = `# Fixes on files of many producers

Every action was run, with settings that give it something to do, on every file of the public corpus that opens (other files are refused with a code before any action runs). The columns of the tools count the results that a tool reads without a fault, and after + those with the same fault that it reports for the original; a result that a tool reads worse than the original fails the test. Facts are boxes, fonts, images, spot colours, the mean of every plate and the pictures of three renderers, as far as the action may not change them, compared before and after. Every action was run a second time on its result, which changed nothing. Failed with \`gate.look\`: the pictures differed where no change was logged, and the original was kept. Failed with \`gate.renderers\`: Ghostscript, which made the pictures of the result, and MuPDF show the page differently. To measure again, run
\`FIX_CORPUS=all FIX_QUALITY=write npx vitest run --config packages/config/vitest.config.ts --project fix fixes/corpus\` (a quarter of an hour; \`-t Overprint\` for one line; \`PYTHON\` is the path of a Python with numpy and Pillow).

Where a fix places pictures of pages (flattening), a second renderer confirms them: the mean colours of tiles of a sixth of an inch, as the press prints them, may differ by 15 (CIEDE2000) between Ghostscript's plates and MuPDF. Of 113 pages of the corpus that both draw (the first four of each file), 104 agree, the farthest at 13.1; the other nine differ by 19.5 to 87.1: pictures, masks, default colour spaces or annotations that one of the two draws wrongly or not at all. One flattened result was a wrong one that the gate let pass before: Ghostscript loses a white card of \`pdfjs__issue18032.pdf\`, which differs by 21.1; no other result is refused for it. The seeded faults (\`gate/two-renderers.test.ts\`) differ by 27.6. The check takes about 0.1 s for each side of an A4 page, on at most four pages; other fixes do not have it.

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

/** The documented line of an action and the measured one; `FIX_QUALITY=write` replaces the documented one. */
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
