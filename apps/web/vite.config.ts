import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type InlineConfig, type Plugin, type Rolldown } from 'vite';
import { drawnSteps } from './drawn-steps.ts';
import { filesOfFirstLoads } from './first-loads.ts';
import { kindLabels } from './kind-labels.ts';
import { lateJsonSchema } from './late-json-schema.ts';
import { stepWords } from './step-words.ts';

/** In development the API is a separate process; `API_URL` is its address. */
const api = process.env.API_URL ?? 'http://127.0.0.1:3000';

const proxy = { '/api': { target: api, changeOrigin: false } };

interface Call {
  method: string;
  path: string;
  access: { kind: string };
}

/** Who may make most of the calls. */
const usualKind = 'permission';

/** Nouns that few pages call: the others do not load their calls. */
const ownModules = [
  'apiKeyRoutes',
  'archivingProfileRoutes',
  'archivingRoutes',
  'arrivalRoutes',
  'auditRoutes',
  'backupRoutes',
  'clientProofRoutes',
  'cloudStorageRoutes',
  'communicationProfileRoutes',
  'dashboardRoutes',
  'deliveredFileRoutes',
  'deliveryRoutes',
  'discussionRoutes',
  'embedTokenRoutes',
  'fontRoutes',
  'mailboxRoutes',
  'organizationRoutes',
  'passkeyRoutes',
  'personRoutes',
  'proofRoutes',
  'releaseRoutes',
  'retentionRoutes',
  'roleRoutes',
  'sessionMessageRoutes',
  'sessionViewRoutes',
  'singleSignOnRoutes',
  'trialRoutes',
  'uploadPageRoutes',
  'uploadRoutes',
  'userRoutes',
  'webhookRoutes',
];
const callsModule = /contract[\\/]dist[\\/]calls\.js$/;
let callsFile = '';
const ownModule = /^\0calls of (\w+)$/;

/** Evaluates the contract's routes without their schemas at build time; the browser gets the result as data. */
const callsAsData: Plugin = {
  name: 'calls as data',
  resolveId: (id) => (ownModule.test(id) ? { id, moduleSideEffects: false } : null),
  async load(id) {
    const alone = ownModule.exec(id)?.[1];
    if (alone === undefined && !callsModule.test(id)) return null;
    if (alone === undefined) callsFile = id;
    const calls: Record<string, Record<string, Call>> = await import(pathToFileURL(callsFile).href);
    const tables = Object.entries(calls).flatMap(([name, table]) => {
      if (alone !== undefined && name !== alone) return [];
      if (alone === undefined && ownModules.includes(name)) return [`export { ${name} } from '\\0calls of ${name}';`];
      const rows = Object.entries(table).map(
        ([
          call,
          {
            method,
            path,
            access: { kind },
          },
        ]) => {
          const given = kind === usualKind ? [method, path] : [method, path, kind];
          return `${call}: call(${JSON.stringify(given).slice(1, -1)})`;
        },
      );
      return [`export const ${name} = { ${rows.join(', ')} };`];
    });
    // Shorter than an object each: every page loads all of them.
    const call = `const call = (method, path, kind = '${usualKind}') => ({ method, path, access: { kind } });`;
    return [call, ...tables].join('\n');
  },
};

/**
 * The packages declare that loading a module has no side effect. The same is true of each constant, which the bundler cannot
 * know for the result of a call. Marked as pure, schemas that no page uses are left out.
 */
const constantsWithoutEffect: Plugin = {
  name: 'constants without effect',
  transform(code, id) {
    if (!/packages[\\/](?:contract|settings|preflight|fix|impose|steps|ui)[\\/]dist[\\/].*\.js(?:\?drawn)?$/.test(id))
      return null;
    const made = this.parse(code).body.flatMap((statement) => {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return [];
      return declaration.declarations.flatMap(({ init }) =>
        init?.type === 'CallExpression' || init?.type === 'ObjectExpression' ? [init] : [],
      );
    });
    return made.reduceRight(
      (text, { start, end }) =>
        `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
      code,
    );
  },
};

/** zod brings its English sentences, which nobody reads: `sayIssue` says in the reader's language what is wrong. */
const zodWithoutSentences: Plugin = {
  name: 'zod without sentences',
  apply: 'build',
  transform: (_, id) =>
    /[\\/]zod[\\/]v4[\\/]locales[\\/]en\.js$/.test(id)
      ? 'export default () => ({ localeError: ({ code }) => code });'
      : null,
};

/** The package names its build with warnings for developers only; the one without them is beside it. */
const routerForProduction = fileURLToPath(
  new URL('node_modules/react-router/dist/production/index.mjs', import.meta.url),
);

/** Also used for the first bundling, which finds out which modules a page needs. */
const app = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    react(),
    callsAsData,
    kindLabels,
    drawnSteps,
    stepWords,
    lateJsonSchema,
    zodWithoutSentences,
    constantsWithoutEffect,
  ],
  resolve: { alias: [{ find: /^react-router$/, replacement: routerForProduction }] },
  build: {
    // The oldest browsers that support all features used; nothing is transformed for older ones.
    target: ['chrome111', 'firefox114', 'safari16.4'],
    sourcemap: false,
    // Browsers without it (Safari before 17) load modules when they are imported; only the head start is lost.
    modulePreload: { polyfill: false },
    // The package of icons has one module for each of its 6 000; those that no page names are not read.
    rolldownOptions: { experimental: { lazyBarrel: true } },
  },
} satisfies InlineConfig;

const fewFiles: Plugin = {
  name: 'few files at first',
  apply: 'build',
  config: async () => ({
    build: {
      rolldownOptions: {
        output: {
          // The first files name all others, and hashes cannot be compressed: 42 bits tell the files apart, and words before
          // them would make each first load 2 KiB larger.
          entryFileNames: 'assets/[name]-[hash:7].js',
          // The words of a language keep their name, so that what is measured of a first load can tell them from code.
          chunkFileNames: ({ name }) =>
            /^(?:words|messages)\./.test(name) ? 'assets/[name]-[hash:7].js' : 'assets/[hash:7].js',
          codeSplitting: {
            // Each of these chunks imports only those before it.
            includeDependenciesRecursively: false,
            groups: [
              // The configuration of zod must be in a chunk that is evaluated before every chunk with schemas.
              {
                name: 'zod',
                test: /[\\/]node_modules[\\/]zod[\\/](?!v4[\\/]core[\\/](?:json-schema-processors|to-json-schema))|[\\/]no-eval\.ts$/,
              },
              { debugName: 'first loads', name: await filesOfFirstLoads(app) },
            ],
          },
        },
      },
    },
  }),
};

/** As a file of its own, which shares none with the app: it runs before the app's are there. */
async function aloneScript(path: string): Promise<string> {
  const { output } = (await build({
    ...app,
    configFile: false,
    logLevel: 'silent',
    build: { ...app.build, write: false, rolldownOptions: { input: fileURLToPath(new URL(path, import.meta.url)) } },
  })) as Rolldown.RolldownOutput;
  return output[0].code;
}

/** Served from the root in development; built, its name has a hash, so that no later visit asks whether it has changed. */
const earlyScript: Plugin = {
  name: 'early script',
  async buildStart() {
    if (this.environment.mode !== 'build') return;
    const emit = (name: string, source: string): string => {
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 7);
      const fileName = `assets/${name}-${hash}.js`;
      this.emitFile({ type: 'asset', fileName, source });
      return fileName;
    };
    const worker = 'src/early/worker.ts';
    const early = await aloneScript('early.js');
    emit('early', early.replace(worker, emit('worker', await aloneScript(worker))));
  },
  transformIndexHtml: (_, { bundle = {} }) => {
    const built = Object.keys(bundle).find((name) => /^assets\/early-/.test(name));
    return [{ tag: 'script', attrs: { src: `/${built ?? 'early.js'}` }, injectTo: 'head-prepend' }];
  },
};

/** The document loads the app and does not start it: `early.js` does, once a first page on its way is shown. */
const appStartedLater: Plugin = {
  name: 'app started later',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const entry = /<script type="module" crossorigin src="([^"]+)"><\/script>/;
      if (!entry.test(html)) throw new Error('the document has no script of the app');
      return html.replace(entry, '<link id="app" rel="modulepreload" crossorigin href="$1">');
    },
  },
};

const brotli = promisify(brotliCompress);

/** Brotli's highest level takes twice the time of the one below, which was most of a build, for files 2 % smaller. */
const encodings = {
  br: (bytes: Buffer) =>
    brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY - 1 } }),
  gz: promisify(gzip),
};

/** Compresses every file once; the API sends these instead of compressing each response. */
const compressedBeside: Plugin = {
  name: 'compressed beside',
  apply: 'build',
  async writeBundle({ dir = '' }) {
    const files = await readdir(`${dir}/assets`);
    await Promise.all(
      files
        .filter((file) => /\.(?:m?js|css|svg|json)$/.test(file))
        .flatMap((file) =>
          Object.entries(encodings).map(async ([ending, encode]) => {
            const path = `${dir}/assets/${file}`;
            await writeFile(`${path}.${ending}`, await encode(await readFile(path)));
          }),
        ),
    );
  },
};

export default defineConfig({
  ...app,
  plugins: [...app.plugins, earlyScript, appStartedLater, fewFiles, compressedBeside],
  build: { ...app.build, outDir: 'dist', manifest: true, reportCompressedSize: false },
  server: { proxy },
  preview: { proxy },
});
