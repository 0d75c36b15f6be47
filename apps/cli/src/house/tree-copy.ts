import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './root.ts';

/** The packages, relative to the root. */
const rooms = () =>
  ['packages', 'apps']
    .flatMap((top) => readdirSync(path.join(repositoryRoot, top)).map((room) => path.join(top, room)))
    .concat('prisma');

/**
 * Copies the working tree with its build output into an empty folder. Packages from npm are those of the original; our own
 * are found by relative links, which lead to the copy.
 */
export function copyTree(copy: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  const built = rooms().flatMap((room) => ['dist', 'node_modules'].map((folder) => path.join(room, folder)));
  for (const name of [...listed.split('\0').filter(Boolean), ...built, 'prisma/src/generated']) {
    const from = path.join(repositoryRoot, name);
    if (!existsSync(from) || name === path.join('apps', 'web', 'dist')) continue;
    mkdirSync(path.dirname(path.join(copy, name)), { recursive: true });
    const isCache = (file: string) => /node_modules[\\/]\.(?!bin\b)/.test(path.relative(copy, file));
    cpSync(from, path.join(copy, name), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      filter: (_, to) => !isCache(to),
    });
  }
  symlinkSync(path.join(repositoryRoot, 'node_modules'), path.join(copy, 'node_modules'));
}
