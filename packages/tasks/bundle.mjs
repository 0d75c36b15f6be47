// Bundles the program of the child process, hundreds of compiled modules of four packages, into a few files, which halves its
// start time and leaves out unused modules. Third-party packages are not bundled.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const dist = fileURLToPath(new URL('dist/', import.meta.url));
const out = path.join(dist, 'child');
const isJoined = (id) => id.startsWith('.') || path.isAbsolute(id) || id.startsWith('@pdf2press/') || id === 'zod';
/** Path relative to the directory of the bundle. */
const fromBundle = (file) => path.relative(out, file).split(path.sep).join('/');

const places = {
  name: 'places',
  /** Third-party packages are resolved from the package that imports them, because pnpm does not hoist them. */
  async resolveId(id, importer) {
    if (importer === undefined || isJoined(id) || id.startsWith('node:')) return null;
    const found = await this.resolve(id, importer, { skipSelf: true });
    return found && { id: fromBundle(found.id), external: true };
  },
  /** `import.meta.url` keeps the location of the original module, for files that a module reads beside itself. */
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(fromBundle(id))}, import.meta.url).href`);
  },
};

rmSync(out, { recursive: true, force: true });
const bundle = await rolldown({
  input: { child: path.join(dist, 'child.js') },
  platform: 'node',
  plugins: [places],
  logLevel: 'warn',
});
await bundle.write({ dir: out, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
await bundle.close();
