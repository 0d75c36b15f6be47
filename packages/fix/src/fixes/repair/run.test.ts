import { readFileSync } from 'node:fs';
import { interpretPage } from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { isPageTreeSound } from '../../editing/page-tree.ts';
import { contentOf, look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'Repair';
const page = (content: string) => buildPdf({ pages: [{ content, mediaBox: [0, 0, 100, 100] }] });
/** Boxes of all painted objects. */
const places = (path: string): string[] =>
  look(path, (file) => {
    const found: string[] = [];
    interpretPage(file, 1, [{ path: ({ bbox }) => void found.push(bbox.map(Math.round).join(' ')) }]);
    return found;
  });

test('a valid file is not changed unless asked', async () => {
  const pdf = page('0 g 10 10 10 10 re f');
  expect((await quicklyFixedBy(pdf, key)).report.actions[0]?.outcome).toBe('NothingToDo');
  const { report, path } = await quicklyFixedBy(pdf, key, { rewrite: 'Always' });
  expect(report.changes.map(({ what }) => what)).toEqual(['rewritten']);
  expect(contentOf(path)).toContain('0 g 10 10 10 10 re f');
});

test('damaged cross-references are rebuilt', async () => {
  const broken = Buffer.from(page('0 g 10 10 10 10 re f'))
    .toString('latin1')
    .replace(/startxref\s+\d+/, 'startxref\n7');
  const { report, path } = await quicklyFixedBy(Buffer.from(broken, 'latin1'), key);
  expect(report.changes.map(({ what }) => what)).toEqual(['rebuilt']);
  expect(readFileSync(path, 'latin1')).toMatch(/startxref\s+\d{2,}/);
  expect((await quicklyFixedBy(path, key)).report.actions[0]?.outcome).toBe('NothingToDo');
});

test.each([
  ['saves left open', 'q 0.5 0 0 0.5 0 0 cm q q 0 g 10 10 10 10 re f', 3],
  ['restores of nothing', '0.5 0 0 0.5 0 0 cm Q 0 g 10 10 10 10 re f Q Q 40 40 10 10 re f', 3],
  ['both', 'Q q 0.5 0 0 0.5 0 0 cm 0 g 10 10 10 10 re f', 2],
])('%s are corrected; nothing moves, and content added afterwards is in the right place', async (_, content, count) => {
  const pdf = page(content);
  const { report, path } = await quicklyFixedBy(pdf, key);
  expect(report.actions[0]).toMatchObject({ outcome: 'Applied', objects: count, gate: { isPassed: true } });

  expect((await quicklyFixedBy(path, key)).report.actions[0]?.outcome).toBe('NothingToDo');
  const marked = await quicklyFixedBy(pdf, 'AddTrimMarks');
  expect(marked.report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true } });
  expect(places(marked.path)).toContain(places((await quicklyFixedBy(page(''), 'AddTrimMarks')).path).at(-1));
});

test.each([
  ['counts pages that are not there', (text: string) => text.replace(/\/Count 2/, '/Count 9')],
  ['leads to a page twice', (text: string) => text.replace(/\/Kids ?\[(\d+ 0 R) [^\]]*\]/, '/Kids [$1 $1   ]')],
  ['does not know its own pages', (text: string) => text.replace(/\/Parent 2 0 R/, '/Parent 1 0 R')],
])('a page tree that %s is rebuilt', async (_, spoil) => {
  const sound = Buffer.from(
    buildPdf({ pages: [{ content: '0 g 10 10 10 10 re f' }, { content: '0 g 30 10 10 10 re f' }] }),
  ).toString('latin1');
  const spoilt = spoil(sound);
  expect(spoilt).not.toBe(sound);
  const { report, path } = await quicklyFixedBy(Buffer.from(spoilt, 'latin1'), key);
  expect(report.actions[0]?.outcome).toBe('Applied');
  expect(report.changes.map(({ what }) => what)).toContain('pageTree');
  look(path, (file) => {
    expect([file.pageCount, isPageTreeSound(file)]).toEqual([2, true]);
    expect(new Set(file.pages.map(({ object }) => object)).size).toBe(2);
  });
  expect((await quicklyFixedBy(path, key)).report.actions[0]?.outcome).toBe('NothingToDo');
});
