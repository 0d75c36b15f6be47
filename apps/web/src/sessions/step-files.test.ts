import type { Session, SessionFile, SessionStep } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { madeBy, readBy, versionOf } from './step-files.ts';

const step = (id: string, runNumber = 1, startedAt = `2026-11-21T10:0${runNumber}:00Z`) =>
  ({ id, runNumber, startedAt }) as SessionStep;
const file = (name: string, kind: string, stepRunId: string | null, createdAt = '2026-11-21T10:00:00Z') =>
  ({
    id: name,
    name,
    kind,
    stepRunId,
    createdAt,
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

test('findings belong to the version that their preflight read', () => {
  expect(versionOf(session, { stepRunId: 'first' })).toBe('original');
  expect(versionOf(session, { stepRunId: 'second' })).toBe('production');
  expect(versionOf(session, { stepRunId: 'gone' })).toBe('original');
});
