import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repositoryRoot } from '../root.ts';

/** Where and when a run was made, so that figures can be judged. */
export const ranOn = (now: Date): string =>
  `${now.toISOString().slice(0, 10)}, ${os.cpus().length} × ${os.cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.versions.node}`;

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

/** Writes a section of a page of `docs/`. */
export function writeSection(page: string, heading: string, body: string): void {
  const file = path.join(repositoryRoot, 'docs', page);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  writeFileSync(file, withSection(text, heading, body));
}
