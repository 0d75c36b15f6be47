import { checkContracts } from '@pdf2press/preflight/contracts';
import { shapeOf } from '@pdf2press/ui';
import { expect, test } from 'vitest';
import { limitsOf, severitiesOf } from './check-limits.ts';

const shape = shapeOf(checkContracts.ImageResolution.settings);

test('the first limits that are set are told, defaults included, switched off ones not', () => {
  expect(limitsOf(shape, {}).map(({ path, value }) => [path, value])).toEqual([
    ['colourGray.failBelow', 149],
    ['colourGray.warnBelow', 224],
    ['colourGray.infoAbove', 450],
  ]);
  const settings = { colourGray: { failBelow: null, warnBelow: 250, infoAbove: null } };
  expect(limitsOf(shape, settings)[0]).toEqual({ path: 'colourGray.warnBelow', value: 250, unit: 'ppi' });
});

test('severities are those of the rules, unless the profile has others', () => {
  expect(severitiesOf('ImageResolution', {})).toEqual(['Fail', 'Warn', 'Info']);
  expect(severitiesOf('ImageResolution', { severities: { high: 'Off', highOneBit: 'Off' } })).toEqual(['Fail', 'Warn']);
});
