import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BenchRow, isMet } from '@pdf2press/config/bench';
import { repositoryRoot } from './root.ts';

/** Every `*.bench.js` that the rooms have built; each exports `bench()`. */
function benchModules(): string[] {
  const rooms = ['apps', 'packages'].flatMap((top) =>
    readdirSync(path.join(repositoryRoot, top)).map((room) => path.join(repositoryRoot, top, room, 'dist')),
  );
  return rooms.flatMap((dist) => {
    try {
      return readdirSync(dist, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.bench.js'))
        .map((name) => path.join(dist, name));
    } catch {
      return []; // the web app's build has no such files
    }
  });
}

const shown = (value: number | undefined) => (value === undefined ? '' : Number(value.toPrecision(3)).toString());

const line = (row: BenchRow) =>
  `| ${[
    row.name,
    `${shown(row.ours)} ${row.unit === 'ratio' ? '' : row.unit}`.trim(),
    row.peer ?? '',
    shown(row.peerValue),
    shown(row.ratio),
    `${row.isFloor ? '≥' : '≤'} ${shown(row.limit)}`,
    isMet(row) ? 'yes' : '**no**',
  ].join(' | ')} |`;

const document = path.join(repositoryRoot, 'docs/benchmarks.md');

/** The table's lines, by the name of what was measured and its peer, which two rows never share. */
const keyOf = (text: string): string => {
  const [what, , peer] = text.split(' | ');
  return `${what} | ${peer}`;
};

/** The lines that `fresh` replaces or adds; the others stay, in their places. */
export function mergedLines(before: readonly string[], fresh: readonly string[]): string[] {
  const left = new Map(fresh.map((text) => [keyOf(text), text]));
  const kept = before.map((text) => {
    const measured = left.get(keyOf(text));
    left.delete(keyOf(text));
    return measured ?? text;
  });
  return [...kept, ...left.values()];
}

/** What the document has now: its head, and the lines of its table. */
function documentNow(): { head: string; lines: string[] } | null {
  let text: string;
  try {
    text = readFileSync(document, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
  const [, head = '', table = ''] = /^(.*?\n\|-[^\n]*\n)(.*)$/s.exec(text) ?? [];
  return { head, lines: table.split('\n').filter((line) => line !== '') };
}

/**
 * `npm run bench [-- NAME]`: runs the rooms' measurements one after the other and writes `docs/benchmarks.md`. With a name it
 * runs those of that name and replaces their rows only; the head says on which machine all were run. Exit code 1 when a limit
 * is exceeded.
 */
export async function bench(args: string[]): Promise<number> {
  const rows: BenchRow[] = [];
  // npm removes the -- before a name; other callers do not.
  const words = args.filter((word) => word !== '--');
  const isAsked = (file: string) => words.every((word) => path.relative(repositoryRoot, file).includes(word));
  for (const file of benchModules().filter(isAsked)) {
    const { bench: run } = (await import(pathToFileURL(file).href)) as { bench: () => Promise<BenchRow[]> };
    for (const row of await run()) {
      rows.push(row);
      console.log(line(row));
    }
  }
  const head = `# Benchmarks\n\nWritten by \`npm run bench\` on ${os.cpus().length} × ${os.cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.versions.node}; a part that is run alone replaces its own rows. Ratios are ours / peer in the same run; single figures are medians.\n\n| what | ours | peer | peer’s | ratio | promise | kept |\n|---|---|---|---|---|---|---|\n`;
  const before = words.length === 0 ? null : documentNow();
  const lines = mergedLines(before?.lines ?? [], rows.map(line));
  if (rows.length > 0) writeFileSync(document, `${before?.head ?? head}${lines.join('\n')}\n`);
  return rows.every(isMet) ? 0 : 1;
}
