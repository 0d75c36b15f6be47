import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /[.](tsx?|mjs|cjs|js|jsonc?|md|ya?ml|sql|prisma|css|sh)$/.test(file))
  .filter((file) => !/^pnpm-lock|references[.]test[.]ts$/.test(file))
  .filter((file) => existsSync(path.join(root, file)));

/** Ways of pointing at a document that a reader of the repository does not have. */
const outside: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a design document', /\bdesign\/[a-z][\w-]*|\b(?:architecture|test-programme|pdf-engine|runtime|ux)\.md\b/],
  ['a specification', /\bspec\/[a-z][\w-]*|\bspecification(?:’s|'s)?,? (?:of [a-z]+ )?§|\bspec §/i],
  [
    'a numbered promise or invariant',
    /(?<![\w.])(?:P(?:1\d|2[0-4]|[1-9])|I[1-9])(?=[):,;. ]|–P?\d|$)(?=.*(?:promise|invariant))/i,
  ],
  ['a numbered issue', /\bissue \d+\b/i],
];

/** Tests may read files beside the repository; they skip where those are absent. */
const mayNameShared = (file: string): boolean => /[.](test|bench)[.]ts$|\/testing\//.test(file);

test('no file points at a document that is not in the repository', () => {
  const found = files.flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => {
        const text = mayNameShared(file) ? line.replaceAll(/(?:\.\.\/)*shared\/(?:corpus|spec)[\w/.-]*/g, '') : line;
        return outside.filter(([, pattern]) => pattern.test(text)).map(([name]) => `${file}:${at + 1} names ${name}`);
      }),
  );
  expect(found).toEqual([]);
});

test('every link of a text leads to a file that is there', () => {
  const broken = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(path.join(root, path.dirname(file), decodeURIComponent(target))))
        .map((target) => `${file}: ${target}`),
    );
  expect(broken).toEqual([]);
});
