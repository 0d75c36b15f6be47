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

test('colours are said by their inks, in the letters of the language', () => {
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

test('a palette is said by the colours it is made of', () => {
  const values = { before: 'Indexed (DeviceRGB)', after: 'Indexed (DeviceCMYK)' };
  expect(say('en', 'ColorspaceTransformation', 'image', values)).toBe(
    'Page 1: image in RGB (palette) is now CMYK (palette)',
  );
});

test('lengths are in the reader’s unit, points of type stay points, numbers are written as people write them', () => {
  expect(say('en', 'AddBleeds', 'made.Repeat', { after: '3 mm', params: { side: 'left' } })).toBe(
    'Page 1: 0.118 in of bleed by repeating the edge (left)',
  );
  expect(say('fr', 'ThickenLines', 'stroke', { before: '0.686 pt', after: '1 pt' })).toContain('0,69 pt');
  const scaled = { code: 'bleedScaled', params: { page: 2, before: 9, after: 7.2, unit: 'pt' } };
  expect(fixReasonTold('ResizePages', scaled, 'en', inch)).toBe('Page 2: the bleed shrank from 0.13 to 0.1 in.');
  expect(fixReasonTold('ResizePages', scaled, 'en')).toBe('Page 2: the bleed shrank from 9 to 7.2 pt.');
});

test('what the file calls things is said in words; names of inks and layers stay', () => {
  expect(say('es', 'RemoveObjects', 'entryRemoved', { page: null, before: 'Outlines' })).toBe('Se quitó: marcadores');
  expect(say('zh', 'AddTrimMarks', 'marks', { after: 'crop, colorBar' })).toContain('裁切标记, 色彩控制条');
  expect(say('en', 'FlattenLayers', 'merged', { page: null, before: 'crop' })).toBe(
    'Layer “crop” is part of the pages now',
  );
  expect(say('en', 'MapSpots', 'path', { before: 'PANTONE 185 C 100 %', after: 'Gold 100 %' })).toBe(
    'Page 1: vector in PANTONE 185 C 100 % is now Gold 100 %',
  );
});

test('what is wrong with the file is said as anywhere else; actions go by their names', () => {
  expect(fixReasonTold('AddBleeds', { code: 'PDF_MEMORY', params: {} }, 'en')).not.toBe('PDF_MEMORY');
  const inverted = { code: 'order.inverted', params: { first: 'AddBleeds', second: 'ResizePages' } };
  expect(fixReasonTold('', inverted, 'en')).toBe('Add bleed runs before Resize pages; the other way round is safer.');
});
