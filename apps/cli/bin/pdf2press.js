#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// A checkout that was never built has nothing to run yet: the bootstrap installs and builds first.
const built = new URL('../dist/joined/main.js', import.meta.url);
if (existsSync(fileURLToPath(built))) {
  const { main } = await import(built.href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  await import('../bootstrap.mjs');
}
