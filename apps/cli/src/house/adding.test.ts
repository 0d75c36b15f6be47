import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { examples } from './adding-examples.ts';
import { repositoryRoot } from './root.ts';

test('there is an example of each kind', () => {
  expect(examples.map(({ title }) => title)).toEqual([
    'A check',
    'A fix',
    'A layout',
    'A mark',
    'A step kind',
    'A source',
    'An effect',
    'A resource with a screen',
  ]);
});

/** Lines that a diff adds to or removes from files that exist already. */
const linesOutside = (diff: string): string[] =>
  diff
    .split(/^(?=diff --git )/m)
    .filter((part) => part !== '' && !/^new file mode/m.test(part))
    .flatMap((part) => part.slice(part.indexOf('\n@@')).match(/^[+-].*/gm) ?? []);

test.each(examples)('$title costs its own files and at most three lines outside', ({ diff }) => {
  const lines = linesOutside(diff);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThanOrEqual(3);
  expect(lines.filter((line) => line.startsWith('-'))).toEqual([]);
});

test.each(examples)('$title applies to the repository as it is', ({ diff }) => {
  const applied = () => execFileSync('git', ['apply', '--check', '-'], { cwd: repositoryRoot, input: diff });
  expect(applied).not.toThrow();
});
