// Bundles the programs of the child process, whose start time every task pays. Third-party packages are not bundled.
import { fileURLToPath } from 'node:url';
import { bundle } from '@pdf2press/config/bundle';

const dist = (name) => fileURLToPath(new URL(`dist/${name}`, import.meta.url));

const takes = (name) => name === 'zod';

await bundle({
  entry: dist('child.js'),
  out: dist('child'),
  name: 'child',
  // Benchmarks measure what a child does, so they start what it loads.
  beside: { 'preflight-once': dist('preflight-once.js') },
  takes,
});
await bundle({ entry: dist('quick-child.js'), out: dist('quick'), name: 'quick', takes });
