import type { LayoutPage } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { problemSentence } from './say.ts';
import { mm, pageOf, problem } from './testing/plans.ts';

/* Profiles that cannot be planned, and the sentences that say why. */

test.each<[string, LayoutPage[], Record<string, unknown>, string, string]>([
  [
    'too wide',
    [pageOf(200, 100)],
    { type: 'AcrossDown', sheet: 'A4', rows: 1, columns: 2, rotation: 0 },
    'impose.blockTooWide',
    'columns',
  ],
  [
    'too high',
    [pageOf(100, 280)],
    { type: 'AcrossDown', sheet: 'A4', rows: 2, columns: 1, rotation: 0 },
    'impose.blockTooHigh',
    'rows',
  ],
  [
    'signature of 6',
    [pageOf(50, 50)],
    { type: 'SaddleStitch', signatureSize: 6 },
    'impose.signatureNotMultipleOf4',
    'signatureSize',
  ],
  [
    'signature of 20',
    [pageOf(50, 50)],
    { type: 'SaddleStitch', signatureSize: 20 },
    'impose.signatureUnsupported',
    'signatureSize',
  ],
  [
    'signature of 16 in thirds',
    [pageOf(50, 50)],
    { type: 'SaddleStitch', signatureSize: 16, folding: 'Zigzag' },
    'impose.foldingUnsupported',
    'folding',
  ],
  [
    'come and go of sections in two rows',
    [pageOf(50, 50)],
    { type: 'SaddleStitch', signatureSize: 8, comeAndGo: true },
    'impose.comeAndGoNeedsOneRow',
    'comeAndGo',
  ],
  ['unequal pages', [pageOf(50, 50), pageOf(50, 52)], { type: 'AcrossDown' }, 'impose.pagesUnequal', 'mixedSizes'],
  ['no pages', [pageOf(50, 50)], { type: 'AcrossDown', pages: '7-9' }, 'impose.noPages', 'pages'],
  ['not a range', [pageOf(50, 50)], { type: 'AcrossDown', pages: 'x' }, 'impose.pagesInvalid', 'pages'],
  [
    'incomplete',
    [pageOf(50, 50)],
    { type: 'AcrossDown', rows: 1, columns: 2, padding: 'FailIfIncomplete' },
    'impose.incomplete',
    'padding',
  ],
  [
    'odd columns',
    [pageOf(50, 50)],
    { type: 'AcrossDown', rows: 1, columns: 3, duplex: true, workStyle: 'WorkAndTurn' },
    'impose.workStyleNeedsEven',
    'columns',
  ],
  [
    'an invalid length',
    [pageOf(50, 50)],
    { type: 'AcrossDown', margins: { top: 'wide' } },
    'impose.lengthInvalid',
    'margins.top',
  ],
  ['an unknown value', [pageOf(50, 50)], { type: 'AcrossDown', padding: 'Maybe' }, 'impose.settingInvalid', 'padding'],
  ['an unknown setting', [pageOf(50, 50)], { type: 'AcrossDown', colums: 2 }, 'impose.settingUnknown', 'colums'],
  [
    'no die line',
    [pageOf(50, 50)],
    { type: 'DieCut', die: { source: 'Artwork' } },
    'impose.dieMissing',
    'die.lineNames',
  ],
])('is refused: %s', (_, pages, profile, code, field) => {
  expect(problem(pages, profile)).toMatchObject({ code, field });
});

test('the overflow is given in the unit of the reader', () => {
  const found = problem([pageOf(200, 100)], { type: 'AcrossDown', sheet: 'A4', rows: 1, columns: 2, rotation: 0 });
  expect(found?.params.overflow).toBeCloseTo((406 - 287) * mm, 4);
  expect(found && problemSentence(found, 'en', 'Millimeters')).toContain('119 mm');
  expect(found && problemSentence(found, 'en', 'Inches')).toContain('4.685 in');
});

test('more cells than the limit are refused', () => {
  const found = problem([pageOf(1, 1)], { type: 'StepNRepeat', sheet: '9000x9000mm', gutterH: '0mm', gutterV: '0mm' });
  expect(found?.code).toBe('impose.tooManyCells');
});

test.each<[string, Record<string, unknown>, string, string, string]>([
  [
    'a word for a number',
    { rows: 'two' },
    'impose.settingInvalid',
    'rows',
    '“two” is not possible here. Possible: Auto, 1, 2, 3 …',
  ],
  ['a number out of bounds', { rows: '0' }, 'impose.settingInvalid', 'rows', '“0” is not possible here. Possible: ≥ 1'],
  [
    'a word for a switch',
    { faceDown: 'perhaps' },
    'impose.settingInvalid',
    'faceDown',
    '“perhaps” is not possible here. Possible: true, false',
  ],
  [
    'a wrong word',
    { rotation: '45' },
    'impose.settingInvalid',
    'rotation',
    '“45” is not possible here. Possible: Auto, 0, 90, 180, 270',
  ],
  [
    'no length',
    { margins: 'NaNmm' },
    'impose.lengthInvalid',
    'margins.top',
    '“NaNmm” is not a length between 0 mm and 10,000 mm.',
  ],
  [
    'a length below zero in a list',
    { gutterH: '0mm,-3mm' },
    'impose.lengthInvalid',
    'gutterH',
    '“0mm,-3mm” is not a length between 0 mm and 10,000 mm.',
  ],
  ['an unknown sheet', { sheet: 'ABC' }, 'impose.sheetUnknown', 'sheet', '“ABC” is not a known sheet.'],
  [
    'margins beyond the sheet',
    { margins: '400mm' },
    'impose.marginsTooLarge',
    'margins',
    'Margins and gripper are 480 mm larger than the sheet.',
  ],
  [
    'pages that do not fill the sheet',
    { rows: 3, columns: 1, padding: 'FailIfIncomplete' },
    'impose.incomplete',
    'padding',
    '1 page does not fill 3 places; missing pages: 2.',
  ],
])('the message explains the problem: %s', (_, settings, code, field, sentence) => {
  const found = problem([pageOf(50, 50)], { type: 'AcrossDown', ...settings });
  expect(found).toMatchObject({ code, field });
  expect(found && problemSentence(found, 'en', 'Millimeters')).toContain(sentence);
});
