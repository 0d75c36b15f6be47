import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What programs of the system need: libraries, fonts, and the resources of Ghostscript. None of it is secret. */
const systemPaths = [
  '/usr/bin',
  '/usr/sbin',
  '/usr/lib',
  '/usr/lib32',
  '/usr/lib64',
  '/usr/libexec',
  '/usr/share',
  '/usr/local/bin',
  '/usr/local/lib',
  '/usr/local/share',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc/ld.so.cache',
  '/etc/fonts',
  '/etc/ghostscript',
  '/etc/ssl/openssl.cnf',
  '/var/lib/ghostscript',
  '/nix/store',
];

/** The top of the checkout. Its data folder, its `.env` and its apps are of no use to a child. */
function topFolder(): string {
  for (let at = dirname(realpathSync(fileURLToPath(import.meta.url))); ; at = dirname(at)) {
    if (existsSync(join(at, 'pnpm-workspace.yaml'))) return at;
    if (at === dirname(at)) throw new Error('pdf2press does not lie in its workspace');
  }
}

/** A folder may be a link, as that of the packages is where several checkouts share one: what it leads to is read as well. */
const reached = (path: string): string[] => (existsSync(path) ? [path, realpathSync(path)] : [path]);

let known: readonly string[] | undefined;

/** What every child may read and run: the system's programs, Node, and the packages of the product. */
export function programPaths(): readonly string[] {
  if (!known) {
    const top = topFolder();
    const node = realpathSync(process.execPath);
    const system = systemPaths.filter((path) => existsSync(path));
    known = [
      ...system,
      ...(system.some((path) => node.startsWith(`${path}/`)) ? [] : [node]),
      ...new Set(['packages', 'node_modules'].flatMap((name) => reached(join(top, name)))),
    ];
  }
  return known;
}
