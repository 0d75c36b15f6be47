import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type InlineConfig, type Plugin } from 'vite';
import { filesOfFirstLoads } from './first-loads.ts';
import { kindLabels } from './kind-labels.ts';

/** In development the API runs apart; `API_URL` says where. */
const api = process.env.API_URL ?? 'http://127.0.0.1:3000';

const proxy = { '/api': { target: api, changeOrigin: false } };

/** What the contract's routes are without their schemas is found out here: the browser gets the result. */
const callsAsData: Plugin = {
  name: 'calls as data',
  async load(id) {
    if (!/contract[\\/]dist[\\/]calls\.js$/.test(id)) return null;
    const calls: Record<string, unknown> = await import(pathToFileURL(id).href);
    return Object.entries(calls)
      .map(([name, table]) => `export const ${name} = ${JSON.stringify(table)};`)
      .join('\n');
  },
};

/**
 * Our rooms say of their modules that to load one does nothing; it holds of each of their constants, too, which the bundler
 * cannot see where one is made by a call. So told, it leaves out every schema that no page uses.
 */
const constantsWithoutEffect: Plugin = {
  name: 'constants without effect',
  transform(code, id) {
    if (!/packages[\\/](?:contract|settings|preflight|fix|impose|steps|ui)[\\/]dist[\\/].*\.js$/.test(id)) return null;
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

/** Also how the app is bundled only to learn which modules a page needs. */
const app = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), callsAsData, kindLabels, constantsWithoutEffect],
  build: {
    // The oldest browsers that know everything we use; no transforms for older ones.
    target: ['chrome111', 'firefox114', 'safari16.4'],
    sourcemap: false,
  },
} satisfies InlineConfig;

const fewFiles: Plugin = {
  name: 'few files at first',
  apply: 'build',
  config: async () => ({
    build: {
      rolldownOptions: {
        output: {
          codeSplitting: {
            // Each of these files needs only those before it.
            includeDependenciesRecursively: false,
            groups: [
              // What zod is told must be told in its own file: every file with schemas is evaluated after it.
              { name: 'zod', test: /[\\/]node_modules[\\/]zod[\\/]|[\\/]no-eval\.ts$/ },
              { debugName: 'first loads', name: await filesOfFirstLoads(app) },
            ],
          },
        },
      },
    },
  }),
};

const encodings = { br: promisify(brotliCompress), gz: promisify(gzip) };

/** The API sends what is kept beside a file: compressed once, as small as can be, instead of with each answer. */
const compressedBeside: Plugin = {
  name: 'compressed beside',
  apply: 'build',
  async writeBundle({ dir = '' }) {
    const files = await readdir(`${dir}/assets`);
    await Promise.all(
      files
        .filter((file) => /\.(?:js|css|svg|json)$/.test(file))
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
  plugins: [...app.plugins, fewFiles, compressedBeside],
  build: { ...app.build, outDir: 'dist', manifest: true },
  server: { proxy },
  preview: { proxy },
});
