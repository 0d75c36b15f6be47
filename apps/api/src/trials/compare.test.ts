import { type Finding, findingSchema } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { compareRuns, type Ran } from './compare.ts';

const at = (page: number, box: [number, number, number, number], more: object = {}): Finding =>
  findingSchema.parse({
    id: `${page}`,
    checkKey: 'ImageResolution',
    ruleKey: 'ImageResolution.low',
    severity: 'Fail',
    page,
    box,
    ...more,
  });
const photo = at(1, [10, 10, 60, 60]);
const logo = at(2, [0, 0, 20, 20]);

const ran = (change: Partial<Ran> = {}, ...lists: Finding[][]): Ran => ({
  status: 'Completed',
  errorCode: null,
  steps: [
    { stepId: 'in', outcome: 'done', findings: null },
    ...lists.map((findings, index) => ({ stepId: `check ${index}`, outcome: 'done', findings })),
  ],
  output: null,
  ...change,
});

test('equal runs do not differ', () => {
  expect(compareRuns(ran({}, [photo]), ran({}, [at(1, [10.2, 9.9, 60.1, 60])]))).toEqual({
    differences: [],
    changed: [],
    changedPages: [],
  });
});

test('findings are new, gone or fixed, matched by check, rule, severity and place', () => {
  const { changed, differences } = compareRuns(ran({}, [logo]), ran({}, [photo]));
  expect(changed.map(({ finding, fate }) => [finding.page, fate])).toEqual([
    [2, 'new'],
    [1, 'gone'],
  ]);
  expect(differences).toEqual(['findings']);
  const milder = at(1, [10, 10, 60, 60], { severity: 'Warn' });
  expect(compareRuns(ran({}, [milder]), ran({}, [photo])).changed.map(({ fate }) => fate)).toEqual(['new', 'gone']);
  // A check found it, what follows corrected it, and the last check finds nothing any more.
  const fixed = compareRuns(ran({}, [photo], []), ran({}, [photo]));
  expect(fixed.changed).toEqual([{ finding: photo, fate: 'fixed', count: 1 }]);
  expect(fixed.differences).toEqual(['path', 'findings']);
});

test('of a group, the places that differ are counted', () => {
  const group = (...boxes: number[][]) => at(1, [0, 0, 99, 99], { boxes, count: boxes.length });
  const [now, then] = [group([0, 0, 1, 1], [5, 5, 6, 6], [8, 8, 9, 9]), group([0, 0, 1, 1])];
  expect(compareRuns(ran({}, [now]), ran({}, [then])).changed).toEqual([{ finding: now, fate: 'new', count: 2 }]);
});

test('status, the cause of a failure and the path are told', () => {
  expect(compareRuns(ran({ status: 'Failed' }), ran()).differences).toEqual(['status']);
  const failed = (errorCode: string) => ran({ status: 'Failed', errorCode });
  expect(compareRuns(failed('PDF_DAMAGED'), failed('PDF_ENCRYPTED')).differences).toEqual(['status']);
  const way = (outcome: string) => ran({ steps: [{ stepId: 'condition', outcome, findings: null }] });
  expect(compareRuns(way('true'), way('false')).differences).toEqual(['path']);
});

test('pages are compared by their pictures, unless the files are equal', () => {
  const file = (sha256: string, ...pictures: string[]) =>
    ran({ output: { sha256, pictures: new Map(pictures.map((picture, index) => [index + 1, picture])) } });
  expect(compareRuns(file('a', 'x'), file('a', 'y')).changedPages).toEqual([]);
  expect(compareRuns(file('a', 'x', 'y'), file('b', 'x', 'y')).differences).toEqual([]);
  expect(compareRuns(file('a', 'x', 'z', 'w'), file('b', 'x', 'y'))).toMatchObject({
    changedPages: [2, 3],
    differences: ['pages'],
  });
  expect(compareRuns(file('a'), file('b', 'x')).changedPages).toBeNull();
});
