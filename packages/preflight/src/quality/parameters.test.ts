/** Names, defaults, ranges and units of settings and severities, on which stored profiles and operators depend. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FileFaultError, toPoints } from '@pdf2press/contract';
import { isTree, mm, unitOfSetting } from '@pdf2press/settings';
import { afterAll, expect, test } from 'vitest';
import { type CheckKey, checkContracts } from '../checks/contracts.ts';
import type { CheckContract } from '../checks/define-check.ts';
import { technicalNames } from '../checks/technical-names.ts';
import { readProfile } from '../profile/bind-variables.ts';
import type { ProfileCheck } from '../profile/profile.ts';
import { severityOf } from '../profile/profile.ts';
import { ruleCases } from './cases.ts';
import { pdfOf } from './doc.ts';
import { reportOf } from './quality.ts';
import type { RuleCase } from './rule-case.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'parameters-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** `[path, default, range, unit]`; lengths are points. */
type Parameter = readonly [
  path: string,
  initial: unknown,
  range?: readonly [number, number] | undefined,
  unit?: string,
];

const mebibyte = 2 ** 20;
const bytes = [0, 100 * 1024 * mebibyte] as const;
const ppi = [1, 2400] as const;
const oneBitPpi = [1, 9600] as const;
const sides = (name: string, initial: number): Parameter[] =>
  ['left', 'right', 'top', 'bottom'].map((side) => [`${name}.${side}`, initial, [0, mm(100)], 'length']);

const settings: { readonly [K in CheckKey]?: readonly Parameter[] } = {
  DocumentIntegrity: [
    ['damaged', 'WarnIfRepaired'],
    ['encryption', 'AllowIfOpensWithoutPassword'],
    ['minPdfVersion', null],
    ['maxPdfVersion', null],
    ['requiredConformance', 'None'],
    ['outputIntent.mode', 'NotRequired'],
    ['renderTest.isOn', true],
    ['renderTest.dpi', 36, undefined, 'dpi'],
    ['renderTest.timeoutSeconds', 20],
  ],
  FileSize: [
    ['minBytes', 1024, bytes, 'bytes'],
    ['warnAbove', 500 * mebibyte, bytes, 'bytes'],
    ['failAbove', 2048 * mebibyte, bytes, 'bytes'],
    ['warnAbovePerPage', null, bytes, 'bytes'],
  ],
  ImageResolution: [
    ['colourGray.failBelow', 149, ppi, 'ppi'],
    ['colourGray.warnBelow', 224, ppi, 'ppi'],
    ['colourGray.infoAbove', 450, ppi, 'ppi'],
    ['oneBit.failBelow', 549, oneBitPpi, 'ppi'],
    ['oneBit.warnBelow', 799, oneBitPpi, 'ppi'],
    ['oneBit.infoAbove', 3600, oneBitPpi, 'ppi'],
    ['singleImagePage.failBelow', null, ppi, 'ppi'],
    ['singleImagePage.warnBelow', null, ppi, 'ppi'],
    ['ignoreSmallerThanPx', 16, [0, 1000]],
    ['ignoreSmallerThanArea', 0, undefined, 'area'],
    ['ignoreSoftMasks', true],
    ['ignoreFullyClipped', true],
    ['ignoreHidden', true],
    ['bufferVisibleOnly', true],
  ],
  TextInPictures: [
    ['letters', 40, [10, 100_000]],
    ['coverAtLeast', 80, [10, 100], 'percent'],
    ['ignoreAbove', 550, [72, 2400], 'ppi'],
  ],
  FoldLines: [
    ['fold', 'HalfFold'],
    ['direction', 'Upright'],
    ['panels', 3, [3, 8]],
    ['shorter', mm(2), [0, mm(100)], 'length'],
    ['positions.first', null, [0, mm(1000)], 'length'],
    ['mirrorEvenPages', true],
    ['warnWithin', mm(3), [0, mm(100)], 'length'],
    ['failWithin', mm(1), [0, mm(100)], 'length'],
    ['ignoreLargerThan', mm(30), [0, mm(1000)], 'length'],
  ],
  Barcodes: [
    ['retailModule.failBelow', mm(0.25), [0, mm(5)], 'length'],
    ['retailModule.warnBelow', mm(0.264), [0, mm(5)], 'length'],
    ['linearModule.failBelow', mm(0.17), [0, mm(5)], 'length'],
    ['linearModule.warnBelow', mm(0.25), [0, mm(5)], 'length'],
    ['matrixModule.failBelow', mm(0.254), [0, mm(5)], 'length'],
    ['matrixModule.warnBelow', mm(0.396), [0, mm(5)], 'length'],
    ['quietZone.failBelow', 50, [0, 100], 'percent'],
    ['quietZone.warnBelow', 100, [0, 100], 'percent'],
    ['contrast.failBelow', 40, [0, 100], 'percent'],
    ['contrast.warnBelow', 55, [0, 100], 'percent'],
    ['dpi', 400, [150, 600], 'dpi'],
  ],
  PageDimentions: [
    ['box', 'Trim'],
    ['mode', 'AllSame'],
    ['width', null, undefined, 'length'],
    ['height', null, undefined, 'length'],
    ['tolerance', mm(0.5), [0, mm(10)], 'length'],
    ['orientationInsensitive', true],
    ['applyRotate', true],
    ['applyUserUnit', true],
    ['acceptScalable.mode', 'Off'],
    ['acceptScalable.maxScale', 200, undefined, 'percent'],
    ['acceptScalable.minPpi', 149, ppi, 'ppi'],
    ['sizeIncludesBleed.isDetected', true],
  ],
  PageCount: [
    ['min', 1, [1, 100_000]],
    ['max', null, [1, 100_000]],
    ['exact', null, [1, 100_000]],
    ['compareTo', null],
  ],
  MultiplePages: [
    ['mode', 'MultipleOf'],
    ['n', 4, [2, 64]],
    ['padAllowed', false],
  ],
  PageOrientation: [
    ['required', 'AllSame'],
    ['squareTolerance', mm(0.5), undefined, 'length'],
    ['applyRotate', true],
    ['box', 'Trim'],
  ],
  EmptyPages: [
    ['policy', 'Disallow'],
    ['position', 'None'],
    ['maxConsecutive', null],
    ['inkThreshold', 0, [0, 5], 'percent'],
    ['nearEmptyWarn', 0.05, [0, 5], 'percent'],
    ['area', 'Trim'],
    ['dpi', 72, undefined, 'dpi'],
  ],
  Bleed: [
    ...sides('required', mm(3)),
    ['warnBelow', null, [0, mm(100)], 'length'],
    ['failBelow', null, [0, mm(100)], 'length'],
    ['innerEdge', null],
    ['mirrorEvenPages', true],
    ['triggerDistance', mm(1), [0, mm(20)], 'length'],
    ['method', 'Both'],
    ['ignoreWhite', true],
    ['minObjectSide', mm(0.3), undefined, 'length'],
    ['dpi', 150, [72, 600], 'dpi'],
  ],
  SpotColors: [
    ['policy', 'Allow'],
    ['names', []],
    ['maxCount', null, [0, 32]],
    ['countOnlyUsed', true],
    ['ignoreNames', technicalNames],
  ],
  Fonts: [
    ['notEmbedded', 'Disallow'],
    ['allowedTypes', ['Type0', 'Type1', 'Type2', 'TrueType', 'OpenType', 'Type3']],
    ['names.policy', 'Any'],
    ['names.list', []],
    ['minSize.warnBelow', null, undefined, 'points'],
    ['minSize.failBelow', null, undefined, 'points'],
    ['minSizeMultiInk', null, undefined, 'points'],
    ['minSizeWhite', null, undefined, 'points'],
    ['onlyUsedGlyphs', true],
  ],
  RichBlack: [
    ['text.minK', 85, [0, 100], 'percent'],
    ['text.maxSum', 280, [0, 400], 'percent'],
    ['text.maxInksBelowSize.maxInks', 1],
    ['text.maxInksBelowSize.size', 12, undefined, 'points'],
    ['vector.thinLineMaxWidth', 2, undefined, 'points'],
    ['solidArea.requireRich', null, undefined, 'area'],
  ],
  OverPrint: [
    ['blackTextBelow', 12, undefined, 'points'],
    ['blackLineBelow', 2, undefined, 'points'],
    ['onlyOverlapping', true],
  ],
  SafetyDistance: [
    ...sides('warnWithin', mm(3)),
    ...sides('failWithin', mm(1)),
    ['innerEdge.warnWithin', null, [0, mm(100)], 'length'],
    ['innerEdge.failWithin', null, [0, mm(100)], 'length'],
    ['mirrorEvenPages', true],
    ['objects', ['text', 'image']],
    ['exemptBleeding', true],
    ['exemptCovering', 80, undefined, 'percent'],
    ['minObjectSide', mm(0.3), undefined, 'length'],
    ['ignoreOutsideTrim', true],
    ['dieLines.areChecked', true],
  ],
};

/** Default severities. */
const severities: { readonly [K in CheckKey]?: Readonly<Record<string, string>> } = {
  DocumentIntegrity: {
    syntaxErrors: 'Fail',
    annotationsInPrintArea: 'Warn',
    formFieldsInPrintArea: 'Fail',
    javascript: 'Warn',
    actions: 'Info',
    embeddedFiles: 'Warn',
    multimedia: 'Warn',
    XFA: 'Fail',
    digitalSignature: 'Warn',
    preseparated: 'Fail',
    postscriptXObject: 'Fail',
  },
  PageOrientation: { forbidRotateKey: 'Info', readingOrientation: 'Info' },
  SpotColors: { duplicateNames: 'Warn', registrationInArtwork: 'Warn' },
  Fonts: { courierSubstitution: 'Warn', invalidFont: 'Fail', notdefGlyph: 'Fail' },
  RichBlack: { rgbBlack: 'Warn', registrationBlack: 'Fail' },
  OverPrint: {
    whiteTextOverprint: 'Fail',
    whitePathOverprint: 'Warn',
    blackTextNotOverprint: 'Warn',
    blackLineNotOverprint: 'Warn',
    opmZeroOnCMYK: 'Info',
    anyOverprint: 'Off',
    imageOverprint: 'Warn',
    overprintWithTransparency: 'Info',
  },
};

const readCheck = (key: CheckKey, check: object = {}): ProfileCheck => {
  const [read] = readProfile({ checks: [{ key, ...check }] }).checks;
  if (!read) throw new Error(key);
  return read;
};
const at = (tree: unknown, name: string): unknown =>
  name.split('.').reduce<unknown>((node, step) => (isTree(node) ? node[step] : undefined), tree);
const accepts = (key: CheckKey, name: string, value: unknown): boolean => {
  try {
    return JSON.stringify(at(readCheck(key, { settings: { [name]: value } }).settings, name)) === JSON.stringify(value);
  } catch (error) {
    if (error instanceof FileFaultError) return false;
    throw error;
  }
};

const parameters = Object.entries(settings).flatMap(([key, list]) =>
  list.map((parameter) => [key as CheckKey, ...parameter] as const),
);
test('every setting has its name, default, unit and range', () => {
  const wrong = parameters.flatMap(([key, name, initial, range, unit]) => {
    const isFound = JSON.stringify(at(readCheck(key).settings, name)) === JSON.stringify(initial);
    const isInUnit = unit === undefined || unitOfSetting(checkContracts[key].settings, name.split('.')) === unit;
    const isRead = accepts(key, name, initial);
    const [low, high] = range ?? [0, 0];
    const holds = !range || (accepts(key, name, low) && accepts(key, name, high));
    const isBound = !range || (!accepts(key, name, low - 1) && !accepts(key, name, high + 1));
    return isFound && isInUnit && isRead && holds && isBound
      ? []
      : [`${key}.${name} ${JSON.stringify({ isFound, isInUnit, isRead, holds, isBound })}`];
  });
  expect(wrong).toEqual([]);
});

const rulesOf = (key: CheckKey, parameter: string): readonly string[] =>
  (checkContracts[key] as CheckContract).ruleGroups[parameter] ?? [parameter];
const severityParameters = Object.entries(severities).flatMap(([key, list]) =>
  Object.entries(list).map(([parameter, initial]) => [key as CheckKey, parameter, initial] as const),
);

test.each(severityParameters)('%s.%s is a severity with the default %s', async (key, parameter, initial) => {
  const said = initial === 'Info' ? 'Warn' : 'Info';
  for (const rule of rulesOf(key, parameter)) {
    if (parameter !== 'duplicateNames') expect(severityOf(readCheck(key), rule)).toBe(initial);
    const cases = ruleCases[key] as readonly RuleCase<CheckKey>[];
    const broken = cases.find((each) => each.rule === rule);
    if (!broken) throw new Error(rule);
    const file = path.join(directory, `${key}.pdf`);
    writeFileSync(file, pdfOf(broken.breaks));
    // Severities are also accepted among the settings.
    const { severities: _, ...others } = broken;
    const report = await reportOf(key, { ...others, settings: { ...broken.settings, [parameter]: said } }, file);
    const found = report.findings.filter(({ ruleKey }) => ruleKey === `${key}.${rule}`);
    expect(found.map(({ severity }) => severity)).toContain(said);
    const off = await reportOf(key, { ...others, settings: { ...broken.settings, [parameter]: 'Off' } }, file);
    expect(off.findings.map(({ ruleKey }) => ruleKey)).not.toContain(`${key}.${rule}`);
  }
});

test('short forms are accepted: one value for a group, text for a length, Allow and Disallow for a severity', () => {
  expect(readCheck('Bleed', { required: '3mm', warnBelow: '2' }).settings).toMatchObject({
    required: { left: mm(3), right: mm(3), top: mm(3), bottom: mm(3) },
    warnBelow: mm(2),
  });
  expect(
    readCheck('DocumentIntegrity', { settings: { renderTest: false, outputIntent: 'CMYKOnly' } }).settings,
  ).toMatchObject({ renderTest: { isOn: false, dpi: 36 }, outputIntent: { mode: 'CMYKOnly' } });
  expect(readCheck('Fonts', { names: { deny: ['Arial*'] }, minSize: { warn: '5pt', fail: 4 } }).settings).toMatchObject(
    {
      names: { policy: 'Disallow', list: ['Arial*'] },
      minSize: { warnBelow: 5, failBelow: 4 },
    },
  );
  expect(readCheck('OverPrint', { anyOverprint: 'Disallow' }).severities).toEqual({ anyOverprint: 'Fail' });
  expect(
    readProfile({ unit: 'Inches', checks: [{ key: 'Bleed', triggerDistance: '0.05' }] }).checks[0]?.settings,
  ).toMatchObject({ triggerDistance: toPoints(0.05, 'Inches') });
  expect(readProfile({ checks: [{ checkKey: 'PageDimensions', box: 'Media' }] }).checks[0]?.key).toBe('PageDimentions');
  expect(() => readCheck('Bleed', { unheardOf: 1 })).toThrowError(FileFaultError);
});

test('profiles with old names are read', () => {
  const { checks, variables } = readProfile({
    variables: { 'MultiplePages.multiple': 'sheet' },
    checks: [
      { key: 'MultiplePages', version: 1, settings: { multiple: 8 } },
      {
        key: 'OverPrint',
        version: 1,
        severities: { whiteText: 'Warn', any: 'Info' },
        standardRules: { whiteText: 'S:1' },
      },
      { key: 'RichBlack', version: 1, settings: { text: { minK: 90, fewInksBelow: 9, maxInks: 2 } } },
      {
        key: 'Bleed',
        version: 1,
        settings: { inner: { facingPages: true, edge: 'NotRequired', bindingEdge: 'Right' } },
      },
      { key: 'SafetyDistance', version: 1, settings: { inner: { facingPages: true, warnWithin: 14, failWithin: 6 } } },
      { key: 'DocumentIntegrity', version: 1, settings: { requiredConformance: 'PDF/X-1a:2003' } },
      { key: 'ImageResolution', version: 1, settings: { ignoreHidden: false } },
    ],
  });
  expect(variables).toEqual({ 'MultiplePages.n': 'sheet' });
  expect(checks.map(({ settings: read }) => read)).toMatchObject([
    { n: 8 },
    {},
    { text: { minK: 90, maxInksBelowSize: { size: 9, maxInks: 2 } } },
    { innerEdge: 'NotRequired', bindingEdge: 'Right', mirrorEvenPages: true },
    { innerEdge: { warnWithin: 14, failWithin: 6 } },
    { requiredConformance: 'X-1a:2003' },
    { ignoreHidden: false, ignoreFullyClipped: false },
  ]);
  expect(checks[1]).toMatchObject({
    severities: { whiteTextOverprint: 'Warn', anyOverprint: 'Info' },
    standardRules: { whiteTextOverprint: 'S:1' },
  });
});
