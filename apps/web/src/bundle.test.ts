import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const manifestPath = `${dist}.vite/manifest.json`;

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}
const manifest = existsSync(manifestPath)
  ? (JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, Chunk>)
  : null;

const kib = (file: string): number => gzipSync(readFileSync(`${dist}${file}`)).length / 1024;

/** What the browser loads for these entries before anything is drawn: the chunks and all that they import at once. */
function firstLoad(...entries: string[]): { js: number; css: number; count: number } {
  const files = new Set<string>();
  const styles = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest?.[name];
    if (!chunk) throw new Error(`${name} is not in the manifest`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    for (const other of chunk.imports ?? []) visit(other);
  };
  for (const entry of entries) visit(entry);
  const sum = (list: Iterable<string>) => [...list].reduce((total, file) => total + kib(file), 0);
  return { js: sum(files), css: sum(styles), count: files.size };
}

// KiB after gzip. Skipped without a build; `npm test` builds first.
test.skipIf(!manifest)('first loads stay below their size limits', () => {
  const sessions = firstLoad(
    'index.html',
    'src/frame/place-frame.tsx',
    'src/frame/default-layout.tsx',
    'src/sessions/sessions-screen.tsx',
  );
  expect(firstLoad('index.html').js).toBeLessThan(175);
  expect(sessions.js).toBeLessThan(240);
  // On a slow processor each file costs more than the code in it.
  expect(sessions.count).toBeLessThan(12);
  expect(sessions.css).toBeLessThan(42);
  const proof = firstLoad(
    'index.html',
    'src/frame/place-frame.tsx',
    'src/frame/blank-layout.tsx',
    'src/client-proof/client-proof-screen.tsx',
  );
  // The early script asks for the first picture, and is loaded before all else.
  const early = readdirSync(`${dist}assets`).filter((name) => /^early-.*\.js$/.test(name));
  expect(early).toHaveLength(1);
  expect(early.reduce((sum, name) => sum + kib(`assets/${name}`), proof.js)).toBeLessThan(245);
  expect(
    firstLoad(
      'index.html',
      'src/frame/default-layout.tsx',
      'src/workflows/workflow-screen.tsx',
      'src/workflows/builder-canvas.tsx',
    ).js,
  ).toBeLessThan(300);
});

test.skipIf(!manifest)('no chunk exceeds 150 KiB and none uses new Function', () => {
  const scripts = readdirSync(`${dist}assets`).filter((name) => name.endsWith('.js'));
  for (const name of scripts) expect(kib(`assets/${name}`), name).toBeLessThan(150);
  for (const name of scripts)
    expect(readFileSync(`${dist}assets/${name}`, 'utf8'), name).not.toMatch(/\bnew Function\(\s*['"`]return this/);
});
