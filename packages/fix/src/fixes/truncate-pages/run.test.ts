import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { look, quicklyFixedBy } from '../../testing/fix-files.ts';

const key = 'TruncatePages';
const inked = (width: number) => ({ content: '0 1 0 0 k 10 10 50 50 re f', mediaBox: [0, 0, width, 100] as const });
const blank = (width: number) => ({ content: '0 0 0 0 k 0 0 90 90 re f', mediaBox: [0, 0, width, 100] as const });

/** Pages told apart by their width. */
const pdf = (...pages: { content: string; mediaBox: readonly number[] }[]) =>
  buildPdf({ pages: pages.map((page) => ({ ...page, mediaBox: [...page.mediaBox] })) });
const widths = (file: string): number[] =>
  look(file, (opened) => opened.pages.map((page) => page.effective.media[2] - page.effective.media[0]));

const five = pdf(inked(101), inked(102), blank(103), inked(104), blank(105));

test.each([
  [{ keep: 'FirstN', count: 2 }, [101, 102]],
  [{ keep: 'LastN', count: 2 }, [104, 105]],
  [{ keep: 'Range', range: '2-3,5' }, [102, 103, 105]],
  [{ keep: 'RemoveRange', range: '2-3' }, [101, 104, 105]],
  [{ keep: 'RemoveEmpty' }, [101, 102, 104]],
  [{ keep: 'RemoveEmpty', emptyPosition: 'Last' }, [101, 102, 103, 104]],
  [{ keep: 'PadToMultipleOf', multiple: 4 }, [101, 102, 103, 104, 105, 105, 105, 105]],
  [{ keep: 'PadToMultipleOf', multiple: 3, blanksAt: 'BeforeLast' }, [101, 102, 103, 104, 104, 105]],
  [{ keep: 'PadToMultipleOf', multiple: 3, blanksAt: 'Custom', customPosition: 2 }, [101, 101, 102, 103, 104, 105]],
])('%j', async (settings, expected) => {
  const { report, path } = await quicklyFixedBy(five, key, settings);
  expect(report.actions[0]?.outcome).toBe('Applied');
  expect(widths(path)).toEqual(expected);
});

test('a removed page is reported with its label and a thumbnail', async () => {
  const { report } = await quicklyFixedBy(five, key, { keep: 'FirstN', count: 4 });
  expect(report.changes).toMatchObject([{ what: 'removed', page: 5, before: '5' }]);
  const jpeg = Buffer.from(report.changes[0]?.thumbnail?.split(',')[1] ?? '', 'base64');
  expect([jpeg[0], jpeg[1], jpeg.length < 8000]).toEqual([0xff, 0xd8, true]);
});

test('pages with little ink are empty up to a threshold; removing all pages fails', async () => {
  const speck = pdf(inked(101), { content: '0 0 0 1 k 0 0 10 10 re f', mediaBox: [0, 0, 102, 100] });
  const kept = await quicklyFixedBy(speck, key, { keep: 'RemoveEmpty' });
  expect(kept.report.actions[0]?.outcome).toBe('NothingToDo');
  expect(widths((await quicklyFixedBy(speck, key, { keep: 'RemoveEmpty', emptyThreshold: 2 })).path)).toEqual([101]);
  const none = await quicklyFixedBy(pdf(blank(101)), key, { keep: 'RemoveEmpty' });
  expect(none.report.actions[0]).toMatchObject({ outcome: 'Failed', reason: { code: 'nothingLeft' } });
});
