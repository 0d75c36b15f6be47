import type { Session, SessionFile, SessionStep } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { changedAfter, checkedVersion, madeBy, readBy, versionOf, versionsOf } from './step-files.ts';

const step = (id: string, runNumber = 1, startedAt = `2026-11-21T10:0${runNumber}:00Z`) =>
  ({ id, runNumber, startedAt }) as SessionStep;
const file = (name: string, kind: string, stepRunId: string | null, createdAt = '2026-11-21T10:00:00Z') =>
  ({
    id: name,
    name,
    kind,
    stepRunId,
    createdAt,
    sha256: `bytes of ${name}`,
    mediaType: name.endsWith('.pdf') ? 'application/pdf' : '',
  }) as SessionFile;

const [inject, first, fix, second, again] = [
  step('inject'),
  step('first'),
  step('fix'),
  step('second'),
  step('again', 2),
];
const session: Pick<Session, 'steps' | 'files'> = {
  steps: [inject, first, fix, second, again],
  files: [
    file('came.pdf', 'OriginalFile', null),
    file('1.webp', 'OriginalFileThumbnails', 'inject'),
    file('report.json', 'Others', 'first'),
    file('fixed.pdf', 'ProductionFile', 'fix'),
    file('better.pdf', 'OriginalFile', null, '2026-11-21T10:01:30Z'),
  ],
};

test('a step reads the original until an earlier step has created another file', () => {
  expect(readBy(session, first)?.name).toBe('came.pdf');
  expect(readBy(session, fix)?.name).toBe('came.pdf');
  expect(readBy(session, second)?.name).toBe('fixed.pdf');
});

test('a run starts with the file that was the original at that time', () => {
  expect(readBy(session, again)?.name).toBe('better.pdf');
});

test('the files of a step include reports but not thumbnails', () => {
  expect(madeBy(session, first).map(({ name }) => name)).toEqual(['report.json']);
  expect(madeBy(session, inject)).toEqual([]);
});

const run = [inject, first, fix, second, step('impose'), step('third'), step('rename')];
const imposed = { ...file('a-imposed.pdf', 'ProductionFile', 'impose'), id: 'sheets' };
const made: typeof session = {
  steps: run,
  files: [
    ...session.files.slice(0, 4),
    imposed,
    file('plan.json', 'Others', 'impose'),
    { ...imposed, id: 'renamed', name: 'renamed.pdf', stepRunId: 'rename' },
  ],
};

test('every step that made a PDF has its version; the newest is the production file, and a new name makes none', () => {
  expect(versionsOf(made).map(({ version, step: by }) => [version, by?.id])).toEqual([
    ['original', undefined],
    ['fixed.pdf', 'fix'],
    ['production', 'impose'],
  ]);
  // An earlier run has nothing to show in this one.
  expect(versionsOf(session).map(({ version, file: shown }) => [version, shown.name])).toEqual([
    ['original', 'better.pdf'],
  ]);
});

test('what was approved is known to be changed by the steps that made another file after it', () => {
  const shaOf = (name: string) => made.files.find((each) => each.name === name)?.sha256 ?? '';
  const stepsAfter = (sha256: string) => changedAfter(made, sha256).map(({ id }) => id);
  expect(stepsAfter(shaOf('came.pdf'))).toEqual(['fix', 'impose']);
  expect(stepsAfter(shaOf('fixed.pdf'))).toEqual(['impose']);
  // A new name changes nothing.
  expect(stepsAfter(shaOf('a-imposed.pdf'))).toEqual([]);
  expect(stepsAfter('of another run')).toEqual([]);
});

test('findings belong to the version that their preflight read', () => {
  expect(versionOf(made, { stepRunId: 'first' })).toBe('original');
  expect(versionOf(made, { stepRunId: 'second' })).toBe('fixed.pdf');
  expect(versionOf(made, { stepRunId: 'third' })).toBe('production');
  expect(versionOf(made, { stepRunId: 'gone' })).toBe('original');
});

test('what is shown first is the version that the newest preflight of the run read', () => {
  const checked = (...ids: string[]): typeof session => ({
    ...made,
    steps: made.steps.map((each) => ({
      ...each,
      findings: ids.includes(each.id) ? { Fail: 1, Warn: 0, Info: 0 } : null,
    })),
  });
  expect(checkedVersion(checked())).toBe('original');
  expect(checkedVersion(checked('first'))).toBe('original');
  expect(checkedVersion(checked('first', 'second'))).toBe(versionOf(made, { stepRunId: 'second' }));
  expect(checkedVersion(checked('first', 'second'))).not.toBe('original');
});
