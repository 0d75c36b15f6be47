import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repositoryRoot } from '../root.ts';

/** Where a run was made, so that figures can be judged. */
export const machine = `${os.cpus().length} × ${os.cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.versions.node}`;

/** A cell of a table, in which no line may end and no column begin. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');

export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** A text with one of its sections, from its heading to the next, replaced; a new one comes last. */
export function withSection(text: string, heading: string, body: string): string {
  const [head = '', ...sections] = text.trimEnd().split(/^## /m);
  const own = `${heading}\n\n${body.trim()}\n`;
  const at = sections.findIndex((section) => section.startsWith(`${heading}\n`));
  const kept = at < 0 ? [...sections, own] : sections.with(at, own);
  return `${[head, ...kept].map((part) => part.trimEnd()).join('\n\n## ')}\n`;
}

const fileOf = (page: string): string => path.join(repositoryRoot, 'docs', page);

/** The text of a page of `docs/`; empty where there is none yet. */
export const readPage = (page: string): string => (existsSync(fileOf(page)) ? readFileSync(fileOf(page), 'utf8') : '');

/** Writes a section of a page of `docs/`. */
export const writeSection = (page: string, heading: string, body: string): void =>
  writeFileSync(fileOf(page), withSection(readPage(page), heading, body));

/**
 * The rows of a table as they are on a page, with those of this run in their places: a run of a part replaces its own rows.
 * @param rows the first cells of each row, which name it, and the last ones where they were measured just now
 * @param absent the last cells of a row that was never measured
 */
export function mergedRows(
  page: string,
  rows: readonly { names: readonly string[]; measured: readonly string[] | undefined }[],
  absent: readonly string[],
): string[][] {
  const lines = page.split('\n');
  return rows.map(({ names, measured }) => {
    if (measured) return [...names, ...measured];
    const start = `| ${names.map(cell).join(' | ')} | `;
    const line = lines.find((known) => known.startsWith(start));
    const known = line
      ?.slice(start.length)
      .replace(/ \|$/, '')
      .split(/ (?<!\\)\| /);
    return [...names, ...(known?.map((text) => text.replaceAll('\\|', '|')) ?? absent)];
  });
}
