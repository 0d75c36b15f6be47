import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
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
  /**
   * Makes CommonJS, whose programs are `<name>.cjs` and start with kept code (`start-bundle.cjs`). Such a program awaits
   * nothing at the top of a module, and imports packages that do so, or that are not CommonJS, with `import()` only.
   */
  isCommonJs?: boolean;
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

const ownFile = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** How a chunk names a module of Node.js. `fs` and `path` are loaded at every start. */
const builtIn = /^let (node_\w+) = require\("(node:(?!fs"|path")[^"]+)"\);$/gm;

/**
 * Loads modules of Node.js when they are first used: most of what a chunk names is not used by a run, and loading threads,
 * processes and streams takes as long as a short task.
 */
function loadedLate(code: string): string {
  let late = code;
  for (const [line, name = '', id = ''] of code.matchAll(builtIn)) {
    // What is passed on as a whole, as for an import of its default, is needed at once.
    const isWhole = new RegExp(`(?<![\\w$.])${name}(?![\\w$.])`).test(code.replace(line, ''));
    if (isWhole) continue;
    late = late
      .replace(line, `let ${name};`)
      .replace(new RegExp(`(?<![\\w$.])${name}\\.`, 'g'), `(${name} ??= require("${id}")).`);
  }
  return late;
}

/** First line of the programs and of what threads load: started by Node.js itself, they are loaded again with kept code. */
const startLine =
  'if (typeof importFrom === "undefined") return void (module.exports = require("./start-bundle.cjs")(__filename));';

/**
 * Bundles a program of hundreds of compiled modules into a few files, which halves its start time and leaves out unused
 * modules. The programs of its threads are bundled with it and share its modules. Files that a module reads beside itself
 * are found as before.
 */
export async function bundle({ entry, out, name, beside = {}, takes, isCommonJs = false }: Bundling): Promise<void> {
  /** Path relative to the folder of the bundle. */
  const fromBundle = (file: string) => path.relative(out, file).split(path.sep).join('/');
  const isInside = (id: string) =>
    id.startsWith('.') || path.isAbsolute(id) || id.startsWith('@pdf2press/') || takes(id);
  rmSync(out, { recursive: true, force: true });
  const built = await rolldown({
    input: { [name]: entry, ...beside },
    platform: 'node',
    logLevel: 'warn',
    // Doors that load more than a bundle needs have another one for it.
    ...(isCommonJs && { resolve: { conditionNames: ['bundled'] } }),
    plugins: [
      {
        name: 'places',
        /** Third-party packages are resolved from the package that imports them, because pnpm does not hoist them. */
        async resolveId(id, importer) {
          if (importer === undefined || isInside(id) || id.startsWith('node:')) return null;
          const found = await this.resolve(id, importer, { skipSelf: true });
          return found && { id: fromBundle(found.id), external: true };
        },
        /** What is imported when it is needed is imported by `start-bundle.cjs`. */
        renderChunk: (code) => (isCommonJs ? loadedLate(code.replace(/(?<![\w$.])import\(/g, 'importFrom(')) : null),
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
  const ending = isCommonJs ? 'cjs' : 'js';
  await built.write({
    dir: out,
    format: isCommonJs ? 'cjs' : 'esm',
    entryFileNames: `[name].${ending}`,
    chunkFileNames: `[name]-[hash].${ending}`,
    ...(isCommonJs && { banner: ({ isEntry }) => (isEntry ? startLine : '') }),
  });
  await built.close();
  if (isCommonJs) copyFileSync(ownFile('start-bundle.cjs'), path.join(out, 'start-bundle.cjs'));
}

export interface KeptRun {
  /** The program of a bundle that was made with `isCommonJs`. */
  program: string;
  /** Flags of Node.js. V8 takes code only with the flags it was kept with. */
  flags?: readonly string[];
  args?: readonly string[];
  /** Standard input. */
  input?: string;
  /** Working directory. */
  folder: string;
}

/**
 * Runs a program of a bundle and keeps the code of what it ran beside the chunks. A further run adds its code.
 * @returns what it wrote to file descriptor 3, where a limited child process answers
 * @throws Error with its error output if it ends with another exit code than 0
 */
export function keepCode({ program, flags = [], args = [], input = '', folder }: KeptRun): string {
  const { status, stderr, output } = spawnSync(
    process.execPath,
    [...flags, '--require', ownFile('keep-code.cjs'), program, ...args],
    { cwd: folder, input, encoding: 'utf8', stdio: ['pipe', 'ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 },
  );
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return output[3] ?? '';
}
