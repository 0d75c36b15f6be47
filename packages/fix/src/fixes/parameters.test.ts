/**
 * The settings of every action: each has its name, default and range, accepts alternative names and values, and is used
 * by the action.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toPoints } from '@pdf2press/contract';
import { unitOfSetting } from '@pdf2press/settings';
import { describe, expect, test } from 'vitest';
import { readFixProfile } from '../profile/profile.ts';
import { type FixKey, fixContracts } from './contracts.ts';

const mm = (value: number): number => toPoints(value, 'Millimeters');

interface Parameter {
  name: string;
  initial: unknown;
  /** Smallest and largest value, as stored. */
  range?: readonly [number, number];
  unit?: string;
  /** Values as people may write them, and what they are stored as. */
  words?: readonly (readonly [text: string, stored: unknown])[];
}
const flag = (name: string, initial: boolean): Parameter => ({
  name,
  initial,
  words: [
    ['yes', true],
    ['off', false],
  ],
});
const choice = (name: string, initial: string, ...options: string[]): Parameter => ({
  name,
  initial,
  words: options.map((option) => [option, option] as const),
});
const number = (name: string, initial: number | null, range: readonly [number, number], unit: string): Parameter => ({
  name,
  initial,
  range,
  unit,
});
const length = (name: string, initial: number, [least, most]: readonly [number, number]): Parameter => ({
  ...number(name, mm(initial), [mm(least), mm(most)], 'length'),
  words: [
    ['7 mm', mm(7)],
    ['0.25in', 18],
  ].filter(([, points]) => Number(points) <= mm(most)) as [string, number][],
});

const sides = ['left', 'right', 'top', 'bottom'];
const table: Partial<Record<FixKey, readonly Parameter[]>> = {
  ColorspaceTransformation: [
    {
      ...choice('target', 'CMYK'),
      words: [
        ['cmyk', 'CMYK'],
        ['Grey', 'Gray'],
        ['sRGB', 'RGB'],
        ['keep', 'Keep'],
      ],
    },
    {
      name: 'sources',
      initial: ['DeviceRGB', 'ICCRGB', 'Lab'],
      words: [
        ['RGB, Lab', ['DeviceRGB', 'ICCRGB', 'Lab']],
        ['DeviceRGB', ['DeviceRGB']],
        ['CalRGB/ICC RGB', ['ICCRGB']],
        ['ICC CMYK, DeviceGray, CalGray, spots', ['ICCCMYK', 'DeviceGray', 'CalGray']],
      ],
    },
    {
      name: 'objects',
      initial: ['text', 'vector', 'shading', 'image'],
      words: [['Text, Soft mask', ['text', 'softMask']]],
    },
    {
      name: 'destinationProfile',
      initial: null,
      unit: 'profile',
      words: [
        ['output intent of file', null],
        ['isocoated-v2-300-bas', 'isocoated-v2-300-bas'],
      ],
    },
    { name: 'assumedSource.RGB', initial: 'srgb', unit: 'profile', words: [['eci-rgb-v2', 'eci-rgb-v2']] },
    { name: 'assumedSource.CMYK', initial: null, unit: 'profile', words: [['destination', null]] },
    { name: 'assumedSource.Gray', initial: null, unit: 'profile', words: [['dot-gain', null]] },
    flag('useEmbeddedProfile', true),
    flag('useEmbeddedCmykProfile', false),
    {
      ...choice('intent', 'relative'),
      words: [
        ['Relative colorimetric', 'relative'],
        ['absolute colourimetric', 'absolute'],
        ['Perceptual', 'perceptual'],
        ['saturation', 'saturation'],
      ],
    },
    flag('blackPointCompensation', true),
    ...['pureK', 'pureCMY', 'neutralToK', 'grayToK'].map((name) => flag(`preserve.${name}`, true)),
    number('preserve.neutralTolerance', 0, [0, 20], 'percent'),
    ...['neutralPixelsToK', 'keepLightness'].map((name) => flag(`preserve.${name}`, false)),
    {
      ...choice('spotHandling', 'Keep'),
      words: [
        ['keep', 'Keep'],
        ['To alternate', 'ToAlternate'],
        ['ToProcess', 'ToProcess'],
        ['MapTo(Gold)', 'MapTo'],
      ],
    },
    flag('setOutputIntent', true),
    flag('setBlendSpace', true),
    { ...number('maxInk', null, [200, 400], 'percent'), words: [['300 %', 300]] },
  ],
  ImageResolution: [
    { ...number('colourGray.above', 450, [1, 9600], 'ppi'), words: [['400 ppi', 400]] },
    number('colourGray.to', 300, [1, 9600], 'ppi'),
    number('oneBit.above', 3600, [1, 9600], 'ppi'),
    number('oneBit.to', 1200, [1, 9600], 'ppi'),
    {
      ...choice('method', 'Bicubic'),
      words: [
        ['bicubic', 'Bicubic'],
        ['average', 'Average'],
      ],
    },
    {
      ...choice('compression', 'Keep'),
      words: [
        ['keep', 'Keep'],
        ['JPEG q70', 'JPEG'],
        ['flate', 'Flate'],
      ],
    },
    choice('oneBitCompression', 'Keep', 'Keep', 'CCITT', 'Flate'),
    number('jpegQuality', 85, [1, 100], 'count'),
    flag('skipIfResultLarger', true),
    { name: 'ignoreSmallerThanPx', initial: 16, unit: 'count' },
  ],
  ResizePages: [
    choice('box', 'Trim', 'Trim', 'Media', 'Crop', 'Bleed', 'Art'),
    { name: 'width', initial: mm(210), unit: 'length', words: [['8.5 in', 612]] },
    { name: 'height', initial: mm(297), unit: 'length', words: [['11in', 792]] },
    { name: 'percent', initial: 100, unit: 'percent', words: [['50 %', 50]] },
    choice('scaling', 'Proportionally', 'Proportionally', 'Stretching'),
    {
      ...choice('fit', 'Inside', 'Inside', 'Outside', 'Width', 'Height', 'StretchToFit'),
      words: [
        ['inside', 'Inside'],
        ['stretch to fit', 'StretchToFit'],
      ],
    },
    {
      ...choice('anchor', 'Centre', 'TopLeft', 'Bottom'),
      words: [
        ['center', 'Centre'],
        ['top-left', 'TopLeft'],
        ['Bottom', 'Bottom'],
      ],
    },
    number('maxStretchDistortion', 2, [0, 10], 'percent'),
    { name: 'maxScaleUp', initial: 10, unit: 'percent' },
    length('onlyIfDifferent', 0.5, [0, 50]),
    choice('orientation', 'Keep', 'Keep', 'MatchTarget'),
    choice('scaleBoxes', 'All', 'All', 'RecomputeBleed'),
    flag('lineAndTextFloor', true),
  ],
  TruncatePages: [
    choice('keep', 'FirstN', 'FirstN', 'LastN', 'Range', 'RemoveEmpty', 'RemoveRange', 'PadToMultipleOf'),
    choice('blanksAt', 'End', 'End', 'BeforeLast', 'Custom'),
    choice('emptyPosition', 'Any', 'First', 'Last', 'FirstAndLast'),
  ],
  AddBleeds: [
    ...sides.map((side) => length(`amount.${side}`, 3, [0, 100])),
    flag('onlyWhereShort', true),
    {
      ...choice('fillMode', 'UseHiddenContent'),
      words: [
        ['MirrorAsImage', 'MirrorAsImage'],
        ['repeat', 'Repeat'],
        ['Mirror objects', 'MirrorObjects'],
        ['Stretch', 'Stretch'],
        ['ScalePage', 'ScalePage'],
        ['UseHiddenContent', 'UseHiddenContent'],
      ],
    },
    flag('corners', true),
    length('innerOffset', 0.1, [0, 10]),
    { name: 'dpi', initial: 300, unit: 'dpi', words: [['150dpi', 150]] },
    choice('imageColourSpace', 'File', 'File', 'DeviceCMYK'),
    flag('innerEdge', true),
    flag('setBleedBox', true),
    flag('growMedia', true),
  ],
  AddText: [
    { name: 'text', initial: '{{page.no}}' },
    choice('position', 'BottomCentre', 'TopLeft', 'Middle', 'BottomRight'),
    length('distanceX', 10, [0, 1000]),
    length('distanceY', 10, [0, 1000]),
    flag('facingPages', false),
    choice('direction', 'Across', 'Across', 'Up', 'Down'),
    number('size', 9, [3, 500], 'points'),
    choice('colour', 'K', 'K', 'White', 'Own'),
    number('inks.m', 0, [0, 100], 'percent'),
    number('inks.k', 100, [0, 100], 'percent'),
    { name: 'startNumber', initial: null },
  ],
  PlaceBarcode: [
    choice('symbology', 'QR', 'EAN-13', 'Code 128', 'GS1-128', 'ITF-14', 'Data Matrix'),
    { name: 'text', initial: '{{file.name}}' },
    choice('position', 'BottomRight', 'TopLeft', 'Middle', 'BottomCentre'),
    length('distanceX', 10, [0, 1000]),
    length('distanceY', 10, [0, 1000]),
    flag('facingPages', false),
    choice('direction', 'Across', 'Across', 'Up', 'Down'),
    {
      ...number('moduleSize', mm(0.33), [mm(0.1), mm(20)], 'length'),
      words: [
        ['0.5 mm', mm(0.5)],
        ['1pt', 1],
      ],
    },
    { ...number('height', null, [mm(1), mm(500)], 'length'), words: [['22.85 mm', mm(22.85)]] },
    choice('errorCorrection', 'M', 'L', 'M', 'Q', 'H'),
    flag('bearerBars', true),
    flag('humanReadable', true),
    number('textSize', 8, [3, 100], 'points'),
    choice('colour', 'K', 'K', 'Spot'),
    { name: 'spotName', initial: 'Barcode' },
    number('alternate.c', 0, [0, 100], 'percent'),
    number('alternate.k', 100, [0, 100], 'percent'),
    choice('ground', 'None', 'None', 'White'),
  ],
  AddCutContour: [
    choice('from', 'Trim', 'Trim', 'Ink'),
    length('cornerRadius', 0, [0, 500]),
    length('distance', 2, [-50, 100]),
    flag('holes', false),
    length('smallest', 2, [0, 500]),
    { ...number('tolerance', mm(0.1), [mm(0.02), mm(5)], 'length'), words: [['0.05 mm', mm(0.05)]] },
    { ...number('leastInk', 2, [1, 100], 'percent'), words: [['10 %', 10]] },
    {
      name: 'ignoredInks',
      initial: ['Crease', 'Creas*', 'Fold', 'Perf*', 'Dimension*', 'Cut*', '*-cut', 'Die*'],
      words: [['Crease, Perf*', ['Crease', 'Perf*']]],
    },
    { name: 'spotName', initial: 'CutContour' },
    number('alternate.m', 100, [0, 100], 'percent'),
    { ...number('weight', 0.25, [0.05, 10], 'points'), words: [['0.5 pt', 0.5]] },
    flag('layer', true),
  ],
  AddTrimMarks: [
    {
      name: 'marks',
      initial: ['crop'],
      words: [
        [
          'crop, bleed, center, registration, fold, colour bar, grey bar, page info',
          ['crop', 'bleed', 'centre', 'registration', 'fold', 'colorBar', 'grayBar', 'slug'],
        ],
      ],
    },
    {
      name: 'offset',
      initial: null,
      unit: 'length',
      words: [
        ['4mm', mm(4)],
        ['none', null],
      ],
    },
    length('length', 5, [2, 30]),
    { ...number('weight', 0.25, [0.1, 2], 'points'), words: [['0.5 pt', 0.5]] },
    choice('colour', 'All', 'All', 'K'),
    flag('knockout', false),
    { name: 'slugSize', initial: 6, unit: 'points' },
    flag('growMedia', true),
    choice('removeExisting', 'No', 'No', 'OutsideBleed'),
  ],
  LimitInk: [
    { ...number('maxInk', 300, [150, 400], 'percent'), words: [['280 %', 280]] },
    number('maxBlack', 100, [0, 100], 'percent'),
    number('blackStart', 0, [0, 100], 'percent'),
    number('tolerance', 3, [0, 100], 'ratio'),
    { name: 'profile', initial: null, unit: 'profile', words: [['fogra39l-coated', 'fogra39l-coated']] },
  ],
  RichBlack: [
    choice('direction', 'ToK', 'ToK', 'ToRich', 'Recipe'),
    { name: 'objects', initial: ['text', 'vector'], words: [['Text', ['text']]] },
    { name: 'textMaxSize', initial: 12, unit: 'points', words: [['0', 0]] },
    { name: 'lineMaxWidth', initial: 2, unit: 'points' },
    number('minK', 85, [0, 100], 'percent'),
    number('minSum', 100, [0, 400], 'percent'),
    { name: 'tolerance', initial: 0, unit: 'percent' },
    ...(
      [
        ['c', 60],
        ['m', 40],
        ['y', 40],
        ['k', 100],
      ] as const
    ).map(([ink, initial]) => number(`recipe.${ink}`, initial, [0, 100], 'percent')),
    { name: 'minArea', initial: mm(50) ** 2, unit: 'area' },
    choice('excludeInsideTransparency', 'Warn', 'Warn', 'Exclude'),
    flag('keepOverprint', false),
  ],
  EmbedFonts: [
    { name: 'names', initial: ['*'], words: [['Arial*, Times', ['Arial*', 'Times']]] },
    flag('standIns', true),
    number('widthTolerance', 0.2, [0, 5], 'percent'),
    choice('otherWidths', 'Leave', 'Leave', 'KeepPlaces'),
    choice('otherFonts', 'Warn', 'Warn', 'Fail'),
  ],
  FontsOutline: [
    choice('targets', 'Fonts', 'Fonts', 'Vectors', 'FontsAndVectors'),
    choice('scope', 'All', 'All', 'NotEmbedded', 'Type3', 'Protected', 'Names'),
    { name: 'names', initial: [], words: [['Arial*, Times', ['Arial*', 'Times']]] },
    { name: 'minSize', initial: null, unit: 'points' },
    { name: 'maxSize', initial: null, unit: 'points' },
    flag('keepInvisibleText', true),
    {
      ...choice('fillRule', 'NonZero'),
      words: [
        ['nonzero', 'NonZero'],
        ['even-odd', 'EvenOdd'],
      ],
    },
    { name: 'warnBelowSize', initial: 6, unit: 'points' },
  ],
  Overprint: [
    choice('targets', 'FillsAndVectors', 'Fills', 'Vectors', 'FillsAndVectors'),
    flag('blackText', true),
    { name: 'textMaxSize', initial: 12, unit: 'points' },
    flag('blackLines', true),
    { name: 'lineMaxWidth', initial: 2, unit: 'points' },
    number('blackThreshold', 100, [1, 100], 'percent'),
    flag('whiteKnockout', true),
    flag('colourKnockout', false),
    choice('grayToBlack', 'DeviceCMYK', 'DeviceCMYK', 'SeparationBlack', 'Off'),
    flag('overprintMode', true),
    { name: 'exclude', initial: [] },
    flag('technicalOverprint', true),
  ],
  FlatteningTransparencies: [
    {
      ...choice('mode', 'VectorWherePossible', 'RasterRegions', 'RasterPage'),
      words: [
        ['Vector where possible', 'VectorWherePossible'],
        ['RasterRegions', 'RasterRegions'],
        ['RasterPage', 'RasterPage'],
      ],
    },
    number('lineArtDpi', 1200, [72, 2400], 'dpi'),
    number('gradientDpi', 300, [72, 2400], 'dpi'),
    number('imageDpi', 300, [72, 2400], 'dpi'),
    choice('blendSpace', 'PageGroup', 'PageGroup', 'OutputIntent'),
    flag('preserveText', true),
    flag('preserveSpots', true),
    {
      ...choice('preserveOverprint', 'Keep'),
      words: [
        ['keep', 'Keep'],
        ['simulate', 'Simulate'],
      ],
    },
    flag('removeUnneededGroups', true),
  ],
};

const at = (tree: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], tree);
const settingsOf = (key: FixKey, path?: string, value?: unknown): unknown => {
  const settings: Record<string, unknown> = {};
  const [name = '', inner] = path?.split('.') ?? [];
  if (path !== undefined) settings[name] = inner === undefined ? value : { [inner]: value };
  return readFixProfile({ actions: [{ key, settings }] }).actions[0]?.settings;
};

const folder = (key: FixKey): string =>
  fileURLToPath(new URL(key.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase(), import.meta.url));
/** Source text of an action and of the shared code that it imports, to find settings that it never reads. */
function sourceOf(key: FixKey): string {
  const own = readdirSync(folder(key))
    .filter((name) => name.endsWith('.ts') && !/^(contract|messages)\.ts$|\.test\.ts$/.test(name))
    .map((name) => readFileSync(`${folder(key)}/${name}`, 'utf8'))
    .join('\n');
  const shared = [...own.matchAll(/from '(\.\.\/\.\.\/editing\/[^']+)'/g)].map(([, name = '']) =>
    readFileSync(`${folder(key)}/${name}`, 'utf8'),
  );
  return [own, ...shared].join('\n');
}

describe.each(Object.entries(table) as [FixKey, readonly Parameter[]][])('%s', (key, parameters) => {
  test.each(parameters)('$name', ({ name, initial, range, unit, words = [] }) => {
    const stored = at(settingsOf(key), name);
    if (typeof initial === 'number') expect(stored).toBeCloseTo(initial, 6);
    else expect(stored).toEqual(initial);
    if (unit) expect(unitOfSetting(fixContracts[key].settings, name.split('.'))).toBe(unit);
    for (const edge of range ?? []) expect(at(settingsOf(key, name, edge), name)).toBe(edge);
    if (range) {
      for (const beyond of [range[0] - 0.01, range[1] + 0.01])
        expect(() => settingsOf(key, name, beyond)).toThrow('SETTINGS_INVALID');
    }
    for (const [text, value] of words) {
      const read = at(settingsOf(key, name, text), name);
      if (typeof value === 'number') expect(read).toBeCloseTo(value, 6);
      else expect([text, read]).toEqual([text, value]);
    }
  });

  test('every setting is used', () => {
    const source = sourceOf(key);
    const names = Object.keys(settingsOf(key) as object);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(source))).toEqual([]);
  });
});

test('one text may set several settings, and alternative names are accepted', () => {
  expect(settingsOf('ColorspaceTransformation', 'spotHandling', 'MapTo(Gold)')).toMatchObject({ mapTo: 'Gold' });
  expect(settingsOf('ColorspaceTransformation', 'neutralToK', 'off')).toMatchObject({
    preserve: { neutralToK: false },
  });
  expect(settingsOf('ColorspaceTransformation', 'preserve', { 'gray→K': false })).toMatchObject({
    preserve: { grayToK: false, pureK: true },
  });
  expect(settingsOf('ImageResolution', 'compression', 'JPEG q70')).toMatchObject({ jpegQuality: 70 });
  expect(settingsOf('ImageResolution', 'compression', 'CCITT G4')).toMatchObject({ oneBitCompression: 'CCITT' });
  expect(settingsOf('ImageResolution', '1-bit', { above: '2400 ppi' })).toMatchObject({ oneBit: { above: 2400 } });
});

test('settings of older versions are upgraded', () => {
  const spine = (innerEdge: unknown) =>
    readFixProfile({ actions: [{ key: 'AddBleeds', version: 1, settings: { innerEdge } }] }).actions[0]?.settings;
  expect(spine('Skip')).toMatchObject({ innerEdge: true, facingPages: 'Yes' });
  expect(spine('Extend')).toMatchObject({ innerEdge: false });
  const old = { sources: ['RGB', 'Gray'], assumedRgb: 'eci-rgb-v2', preservePrimaries: false };
  const actions = [{ key: 'ColorspaceTransformation', version: 1, settings: old }];
  expect(readFixProfile({ actions }).actions[0]?.settings).toMatchObject({
    sources: ['DeviceRGB', 'ICCRGB', 'DeviceGray'],
    assumedSource: { RGB: 'eci-rgb-v2' },
    preserve: { pureCMY: false },
  });
});

test('a condition may be written as text', () => {
  const when = (text: unknown) => readFixProfile({ actions: [{ key: 'AddBleeds', when: text }] }).actions[0]?.when;
  expect(when('Always')).toEqual({ is: 'Always' });
  expect(when('OnlyIfCheckHit')).toEqual({ is: 'OnlyIfCheckHit', check: null });
  expect(when('OnlyIfCheckHit(Bleed)')).toEqual({ is: 'OnlyIfCheckHit', check: 'Bleed' });
  expect(when('quantity > 500')).toEqual({ is: 'Expression', expression: 'quantity > 500' });
  expect(when({ is: 'Always' })).toEqual({ is: 'Always' });
});
