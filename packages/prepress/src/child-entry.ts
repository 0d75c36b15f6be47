import { statSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** When a file was last written; 0 where there is none. */
const writtenAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * The program of a child process: joined from its modules by the build (`bundle.mjs`), which halves the time it takes to
 * start. Whoever compiles one room alone while working on it gets the modules he compiled.
 */
export function childEntry(): string {
  const joined = resolve('@pdf2press/prepress/joined-child');
  const parts = ['contract/faults', 'pdf', 'prepress/child'].map((door) => resolve(`@pdf2press/${door}`));
  const compiledAt = parts.map((part) => writtenAt(part.replace(/(?<=[\\/]dist[\\/]).*/, '.tsbuildinfo')));
  return writtenAt(joined) >= Math.max(...compiledAt) ? joined : resolve('@pdf2press/prepress/child');
}
