import type { FixChange, Locale } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { fixChangeSentence, fixReasonTold } from './sentences.ts';

const change = (action: string, what: string, values: Partial<FixChange>): FixChange => ({
  index: 0,
  action,
  what,
  page: 1,
  before: null,
  after: null,
  params: {},
  count: 1,
  ...values,
});
const inch = 'Inches';
const say = (locale: Locale, ...of: Parameters<typeof change>) => fixChangeSentence(change(...of), locale, inch);

test('colours are written as ink values with the ink letters of the language', () => {
  const values = { before: 'RGB 204 0 0', after: 'DeviceCMYK 0 98.2 97.8 12.1' };
  expect(say('en', 'ColorspaceTransformation', 'text', values)).toBe(
    'Page 1: text in RGB 204 0 0 is now C 0 M 98.2 Y 97.8 K 12.1',
  );
  expect(say('fr', 'ColorspaceTransformation', 'text', values)).toBe(
    'Page 1 : texte RVB 204 0 0 devenu C 0 M 98,2 J 97,8 N 12,1',
  );
  expect(say('en', 'RichBlack', 'rich', { before: 'Gray 0', after: '0.6 0.4 0.4 1 k' })).toBe(
    'Page 1: area in grey 100 % is now C 60 M 40 Y 40 K 100',
  );
  expect(say('it-IT', 'ColorspaceTransformation', 'image', { before: 'DeviceGray', after: 'DeviceCMYK' })).toContain(
    'grigio',
  );
});

test('a palette is described by the colour space of its colours', () => {
  const values = { before: 'Indexed (DeviceRGB)', after: 'Indexed (DeviceCMYK)' };
  expect(say('en', 'ColorspaceTransformation', 'image', values)).toBe(
    'Page 1: image in RGB (palette) is now CMYK (palette)',
  );
});

test('lengths use the reader’s unit, type sizes stay in points, numbers use the language’s format', () => {
  expect(say('en', 'AddBleeds', 'made.Repeat', { after: '3 mm', params: { side: 'left' } })).toBe(
    'Page 1: 0.118 in of bleed by repeating the edge (left)',
  );
  expect(say('fr', 'ThickenLines', 'stroke', { before: '0.686 pt', after: '1 pt' })).toContain('0,69 pt');
  const scaled = { code: 'bleedScaled', params: { page: 2, before: 9, after: 7.2, unit: 'pt' } };
  expect(fixReasonTold('ResizePages', scaled, 'en', inch)).toBe('Page 2: the bleed was reduced from 0.13 to 0.1 in.');
  expect(fixReasonTold('ResizePages', scaled, 'en')).toBe('Page 2: the bleed was reduced from 9 to 7.2 pt.');
});

test('PDF terms are translated; names of inks and layers stay', () => {
  expect(say('es', 'RemoveObjects', 'entryRemoved', { page: null, before: 'Outlines' })).toBe('Se quitó: marcadores');
  expect(say('zh', 'AddTrimMarks', 'marks', { after: 'crop, colorBar' })).toContain('裁切标记, 色彩控制条');
  expect(say('en', 'FlattenLayers', 'merged', { page: null, before: 'crop' })).toBe(
    'Layer “crop” is now part of the pages',
  );
  expect(say('en', 'MapSpots', 'path', { before: 'PANTONE 185 C 100 %', after: 'Gold 100 %' })).toBe(
    'Page 1: vector in PANTONE 185 C 100 % is now Gold 100 %',
  );
});

test('faults of the file use the contract’s messages; actions are called by their names', () => {
  expect(fixReasonTold('AddBleeds', { code: 'PDF_MEMORY', params: {} }, 'en')).not.toBe('PDF_MEMORY');
  const inverted = { code: 'order.inverted', params: { first: 'AddBleeds', second: 'ResizePages' } };
  expect(fixReasonTold('', inverted, 'en')).toBe('Add bleed runs before Resize pages; the opposite order is safer.');
});
