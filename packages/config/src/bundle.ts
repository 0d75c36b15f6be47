import { rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

export interface Bundling {
  /** The compiled program. */
  entry: string;
  /** The folder for the bundle, which is emptied; its program is `<name>.js`. */
  out: string;
  name: string;
  /** Further programs by name, which share its modules. */
  beside?: Readonly<Record<string, string>>;
  /** Whether the code of a package goes into the bundle. Other packages are loaded from where they are installed. */
  takes: (packageName: string) => boolean;
}

/**
 * Packages that stay where they are installed: they bring native code, or files that they look for beside themselves. The
 * last three are optional parts of others.
 */
const staysOutside = new Set([
  '@fastify/static',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@node-rs/argon2',
  'pino',
  'sharp',
  'ssh2',
  'cpu-features',
  'msgpackr-extract',
  'pg-native',
]);

/** Whether a program that runs for long has the code of a package in its bundle; `id` is the package or a module of it. */
export const mayJoin = (id: string): boolean => !staysOutside.has(id.split('/', id.startsWith('@') ? 2 : 1).join('/'));

/** Where a module tells the path of another program, which a thread or a process is to run. */
const programPath = /createRequire\(import\.meta\.url\)\.resolve\('(@pdf2press\/[^']+)'\)/g;

/**
 * Bundles a program of hundreds of compiled modules into a few files, which halves its start time and leaves out unused
 * modules. The programs of its threads are bundled with it and share its modules. Files that a module reads beside itself
 * are found as before.
 */
export async function bundle({ entry, out, name, beside = {}, takes }: Bundling): Promise<void> {
  /** Path relative to the folder of the bundle. */
  const fromBundle = (file: string) => path.relative(out, file).split(path.sep).join('/');
  const isInside = (id: string) =>
    id.startsWith('.') || path.isAbsolute(id) || id.startsWith('@pdf2press/') || takes(id);
  rmSync(out, { recursive: true, force: true });
  const built = await rolldown({
    input: { [name]: entry, ...beside },
    platform: 'node',
    logLevel: 'warn',
    plugins: [
      {
        name: 'places',
        /** Third-party packages are resolved from the package that imports them, because pnpm does not hoist them. */
        async resolveId(id, importer) {
          if (importer === undefined || isInside(id) || id.startsWith('node:')) return null;
          const found = await this.resolve(id, importer, { skipSelf: true });
          return found && { id: fromBundle(found.id), external: true };
        },
        /** `import.meta.url` keeps the location of the original module; what the bundler adds itself is located in the bundle. */
        async transform(code, id) {
          if (!path.isAbsolute(id) || !code.includes('import.meta.url')) return null;
          const programs = new Map<string, string>();
          for (const [, door = ''] of code.matchAll(programPath)) {
            const found = await this.resolve(door, id, { skipSelf: true });
            if (!found) throw new Error(`${id}: ${door} is not there`);
            programs.set(door, `import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id: found.id })}`);
          }
          const original = `new URL(${JSON.stringify(fromBundle(id))}, import.meta.url).href`;
          return code
            .replace(
              programPath,
              (_, door: string) => `process.getBuiltinModule('node:url').fileURLToPath(${programs.get(door)})`,
            )
            .replaceAll('import.meta.url', original);
        },
      },
    ],
  });
  await built.write({ dir: out, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await built.close();
}
