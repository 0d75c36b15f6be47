import { imposeLayouts } from '@pdf2press/contract';
import { layouts, readImposeProfile } from '@pdf2press/impose/contracts';
import { hasSetting } from '@pdf2press/settings';
import { expect, test } from 'vitest';
import { bindableSettings } from '../profiles/bindable-settings.ts';
import { freshSettings, inLayout, sectionKeys, sectionShape } from './impose-settings.ts';

test.each(imposeLayouts)('every setting that the form of %s offers to bind can follow a variable', (type) => {
  const paths = sectionKeys.flatMap((section) => bindableSettings(sectionShape(type, section)));
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).toEqual(expect.arrayContaining(['sheet.width', 'sheet.height']));
  expect(paths.filter((path) => !hasSetting(layouts[type].settings, path))).toEqual([]);
  const variables = Object.fromEntries(paths.map((path) => [path, 'nothing']));
  expect(readImposeProfile({ ...freshSettings(type), variables })).toMatchObject({ ok: true });
});

test('a binding that another layout has no setting for goes with the layout', () => {
  const variables = { 'sheet.width': 'width', 'grid.columns': 'columns', 'nothing.known': 'x' };
  const kept = inLayout('SaddleStitch', { ...freshSettings('StepNRepeat'), variables }).variables;
  expect(kept).toHaveProperty(['sheet.width'], 'width');
  expect(kept).not.toHaveProperty(['nothing.known']);
});
