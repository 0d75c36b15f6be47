import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './root.ts';

/** The diffs of docs/adding.md with their headings. */
export const examples = [
  ...readFileSync(path.join(repositoryRoot, 'docs/adding.md'), 'utf8').matchAll(
    /^## (.+)\n[\s\S]*?^```diff\n([\s\S]*?)^```$/gm,
  ),
].map(([, title = '', diff = '']) => ({ title, diff }));
