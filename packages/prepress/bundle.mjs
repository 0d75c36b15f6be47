// Joins what a child process loads, hundreds of compiled modules of four rooms, into a few files: it starts in half the
// time, and what a task does not use (schemas of the API, say) is left out. Other packages are loaded from where they are.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const dist = fileURLToPath(new URL('dist/', import.meta.url));
const out = path.join(dist, 'child');
const isJoined = (id) => id.startsWith('.') || path.isAbsolute(id) || id.startsWith('@pdf2press/') || id === 'zod';
/** From a file of the bundle, all of which lie in one directory. */
const fromBundle = (file) => path.relative(out, file).split(path.sep).join('/');

const places = {
  name: 'places',
  /** Packages are found where the room that uses them has them. */
  async resolveId(id, importer) {
    if (importer === undefined || isJoined(id) || id.startsWith('node:')) return null;
    const found = await this.resolve(id, importer, { skipSelf: true });
    return found && { id: fromBundle(found.id), external: true };
  },
  /** What a module finds beside itself or through its room, it finds there still. */
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
