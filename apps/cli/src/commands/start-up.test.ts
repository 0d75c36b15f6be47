import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../house/root.ts';

const joined = path.join(repositoryRoot, 'apps/cli/dist/joined');

/** What Node loads before a command of the built program begins: its file and all that it imports, as one text. */
function loadedBy(command: string): string {
  const main = readFileSync(path.join(joined, 'main.js'), 'utf8');
  const entry = new RegExp(`import\\("\\./(${command}-[^"]+)"\\)`).exec(main)?.[1];
  const files = new Set(entry === undefined ? [] : [entry]);
  let text = '';
  for (const file of files) {
    const code = readFileSync(path.join(joined, file), 'utf8');
    for (const [, imported = ''] of code.matchAll(/^import [^\n]*"\.\/([^"]+)";$/gm)) files.add(imported);
    text += code;
  }
  return text;
}

test.each(['inspect', 'impose'])('%s loads no schemas and no words before it starts its child process', (command) => {
  const code = loadedBy(command);
  expect(code).toContain('packages/pdf/dist/limited/run-limited.js');
  expect(code.match(/^\/\/ .*(zod|messages|contract\/dist\/contract).*\.js$/gm)).toBeNull();
  expect(code.length).toBeLessThan(100_000);
});
