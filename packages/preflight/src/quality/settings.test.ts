/** Every setting changes the report: those used by the rule cases, and all others here. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isNight } from '@pdf2press/config/by-day';
import { mm } from '@pdf2press/settings';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type CheckKey, checkContracts, checkKeys } from '../checks/contracts.ts';
import { ruleCases } from './cases.ts';
import {
  at,
  doc,
  imageAt,
  imageFrom,
  intent,
  line,
  note,
  onCyan,
  pages,
  picture,
  sized,
  something,
  text,
} from './content.ts';
import { type Doc, pdfOf } from './doc.ts';
import { drawnCode } from './drawn-codes.ts';
import { pictureOfText, withPicture } from './drawn-text.ts';
import { afterJpeg, jpegOf, shown } from './photo.ts';
import { reportOf } from './quality.ts';
import type { RuleCase } from './rule-case.ts';

const directory = mkdtempSync(path.join(os.tmpdir(), 'settings-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const unset = {};
/** `[path, value, document, other settings]`. */
type Trial = readonly [path: string, value: unknown, doc: Doc, base?: object];

const boxes = { method: 'Boxes' };
const shortBleed = doc(`1 0 0 0 k ${20 - mm(2.5)} 100 200 200 re f`);
const noBleedLeft = doc(something, { bleed: [20 - mm(2), 0, 400, 500] });
const noBleedTwice = { ...noBleedLeft, morePages: [{}] };
const exact = { mode: 'Exact', width: 360, height: 460 };
const notInside = { innerEdge: 'NotRequired' };
const nearLeft = doc(imageFrom(20 + mm(2)));
const nearLeftTwice = { ...nearLeft, morePages: [{}] };
const nearBottom = doc(`q 60 0 0 60 100 ${20 + mm(0.5)} cm /Im Do Q`);
const dieLine = doc(`${imageFrom(100)} /Cut CS 1 SCN ${160 + mm(1.5)} 50 m ${160 + mm(1.5)} 400 l S`);
const rgb = (kind: string) => doc(`1 0 0 rg 1 0 0 RG ${kind}`);
const noRgb = ['DeviceGray', 'DeviceCMYK'];
const heavy = doc('0.8 0.8 0.8 0.7 k 100 100 100 100 re f');
const blank = doc('', { morePages: [{ content: something }, { content: something }] });
const scan = withPicture(
  pictureOfText(['Terms of delivery and payment', 'The goods remain ours until'], 150),
  [20, 60, 360, 400],
);
const drawn = (bcid: string, module: number, colour?: string) =>
  doc(drawnCode(bcid, bcid === 'ean13' ? '5901234123457' : 'ABC-12345', { module, ...(colour && { colour }) }));
const smallCode = drawn('ean13', 0.257);
const grayCode = drawn('ean13', 0.33, '0 0 0 0.55 k');
const nearCode = doc(`${smallCode.content} 0 g ${100 - 8 * mm(0.257) - 10} 190 10 80 re f`);
const masked = doc(imageAt('Pic', 50), {
  ...picture('/ColorSpace /DeviceGray /BitsPerComponent 8', new Uint8Array(100)),
  content: '/Masked gs',
  resources: '/ExtGState << /Masked << /SMask << /Type /Mask /S /Luminosity /G 412 0 R >> >> >>',
  objects: {
    412: {
      dict: '/Type /XObject /Subtype /Form /BBox [0 0 400 500] /Group << /S /Transparency /CS /DeviceGray >> /Resources << /XObject << /Im 304 0 R >> >>',
      data: imageAt('Im', 200),
    },
  },
});

const trials: { readonly [K in CheckKey]?: readonly Trial[] } = {
  DocumentIntegrity: [
    ['outputIntent.names', ['CGATS*'], doc(something, intent('CMYK')), { outputIntent: { mode: 'OneOf' } }],
  ],
  FileSize: [['failAbove', 1000, doc(something)]],
  ImageResolution: [
    ['colourGray.infoAbove', 300, doc(imageAt('Im', at(400)))],
    ['ignoreSmallerThanPx', 100, doc(imageAt('Im', at(100)))],
    ['ignoreSmallerThanArea', 1e5, doc(imageAt('Im', at(100)))],
    ['ignoreSoftMasks', false, masked],
    ['ignoreFullyClipped', false, doc(`-900 -900 10 10 re W n ${imageAt('Im', at(100))}`)],
    ['ignoreHidden', false, doc('q 50 0 0 50 -300 100 cm /Im Do Q')],
    ['bufferVisibleOnly', false, doc(`100 200 20 20 re W n ${imageAt('Im', at(100))}`)],
  ],
  JpegQuality: [
    ['findBlocking', false, shown(96, 300, await afterJpeg(96, 20))],
    ['ignoreAbove', 250, shown(96, 300, await jpegOf(96, 30), '/Filter /DCTDecode')],
  ],
  PageDimentions: [
    ['box', 'Media', doc(something), exact],
    ['range.minHeight', 470, doc(something), { mode: 'Range' }],
    ['range.maxHeight', 450, doc(something), { mode: 'Range', orientationInsensitive: false }],
    ['applyRotate', false, doc(something, { extra: '/Rotate 90' }), { ...exact, orientationInsensitive: false }],
    ['applyUserUnit', false, doc(something, { extra: '/UserUnit 2' }), exact],
    [
      'acceptScalable.minPpi',
      20,
      doc(imageAt('Im', at(50)), sized(360, 460)),
      { ...exact, width: 720, height: 920, acceptScalable: { mode: 'Proportional', maxScale: 200 } },
    ],
    [
      'sizeIncludesBleed.isDetected',
      false,
      doc(something, { ...sized(360 + 2 * mm(3), 460 + 2 * mm(3)), trim: null }),
      exact,
    ],
    [
      'sizeIncludesBleed.bleed',
      mm(5),
      doc(something, { ...sized(360 + 2 * mm(5), 460 + 2 * mm(5)), trim: null }),
      exact,
    ],
  ],
  MultiplePages: [['padAllowed', true, pages(3)]],
  PageOrientation: [
    ['box', 'Media', doc(something, { media: [0, 0, 500, 480] }), { required: 'Horizontal' }],
    ['squareTolerance', 100, doc(something), { required: 'Horizontal' }],
    ['applyRotate', false, doc(something, { extra: '/Rotate 90' }), { required: 'Horizontal' }],
  ],
  EmptyPages: [
    ['position', 'First', blank],
    ['inkThreshold', 5, doc('0 g 100 100 20 20 re f')],
    ['nearEmptyWarn', 1, doc('0 g 100 100 20 20 re f')],
    ['area', 'Media', doc('0 g 1 1 10 10 re f')],
    ['dpi', 18, doc('0 g 100 100 1 1 re f')],
  ],
  Bleed: [
    ['required.left', mm(1), noBleedLeft, boxes],
    ['required.right', mm(50), noBleedLeft, boxes],
    ['required.top', mm(50), noBleedLeft, boxes],
    ['required.bottom', mm(50), noBleedLeft, boxes],
    ['warnBelow', mm(2), shortBleed],
    ['innerEdge', 'NotRequired', noBleedLeft, boxes],
    ['innerEdge', 'Required', { ...noBleedTwice, morePages: [{}, {}], catalog: '/PageLayout /TwoPageRight' }, boxes],
    ['bindingEdge', 'Right', noBleedLeft, { ...boxes, ...notInside }],
    ['mirrorEvenPages', false, noBleedTwice, { ...boxes, ...notInside }],
    ['triggerDistance', mm(3), doc(`1 0 0 0 k ${20 + mm(2)} 20 360 460 re f`)],
    ['method', 'Content', doc('1 0 0 0 k 0 0 400 500 re f', { bleed: null })],
    ['ignoreWhite', false, doc(`1 g ${20 - mm(1)} 100 200 200 re f`)],
    ['minObjectSide', mm(50), doc(`1 0 0 0 k ${20 - mm(1)} 100 60 60 re f`)],
    ['tolerance', mm(1), shortBleed],
    ['dpi', 72, doc(`q 0.7 0.7 -0.7 0.7 60 100 cm 1 0 0 0 k 0 0 200 200 re f Q 0 1 0 0 k 18.3 300 50 50 re f`)],
  ],
  SpotColors: [
    ['countOnlyUsed', false, doc(something), { policy: 'Disallow' }],
    ['ignoreNames', [], doc('/Cut CS 1 SCN 100 100 50 50 re S'), { policy: 'Disallow' }],
    ['suffixes', ['X'], doc('/Gold cs 1 scn 100 100 50 50 re f /GoldC cs 1 scn 200 100 50 50 re f')],
  ],
  Fonts: [
    ['notEmbedded', 'Allow', doc('BT /F2 12 Tf 100 200 Td (Text) Tj ET')],
    ['onlyUsedGlyphs', false, doc(something)],
  ],
  RichBlack: [
    ['text.minK', 95, doc(text(20, '0.7 0.7 0.7 0.9 k'))],
    ['text.maxSum', 320, doc(text(20, '0.7 0.7 0.7 0.9 k'))],
    ['text.maxInksBelowSize.size', 9, doc(text(10, '0.3 0 0 1 k'))],
    ['text.maxInksBelowSize.maxInks', 2, doc(text(10, '0.3 0 0 1 k'))],
    ['vector.thinLineMaxWidth', 4, doc(line(3, '0.7 0.7 0.7 1 K'))],
  ],
  OverPrint: [
    ['blackTextBelow', 9, doc(onCyan(text(10, '0 0 0 1 k')))],
    ['blackLineBelow', 0.5, doc(onCyan(line(1)))],
    ['onlyOverlapping', false, doc(text(10, '0 0 0 1 k'))],
    ['technicalNames', ['Gold'], doc(onCyan('/Gold CS 1 SCN 1 w 100 200 m 150 250 l S'))],
  ],
  SafetyDistance: [
    ['failWithin.left', mm(2.5), nearLeft],
    ['failWithin.right', mm(2.5), doc(imageFrom(380 - 60 - mm(2)))],
    ['failWithin.top', mm(2.5), doc(`q 60 0 0 60 100 ${480 - 60 - mm(2)} cm /Im Do Q`)],
    ['failWithin.bottom', 0, nearBottom],
    ['innerEdge.warnWithin', mm(1), nearLeft],
    ['innerEdge.failWithin', mm(2.5), nearLeft],
    ['bindingEdge', 'Right', nearLeft, { innerEdge: { warnWithin: mm(1), failWithin: 0 } }],
    ['mirrorEvenPages', false, nearLeftTwice, { innerEdge: { failWithin: mm(2.5) } }],
    ['objects', ['text'], nearLeft],
    ['exemptBleeding', false, doc(imageFrom(20 - mm(3)))],
    ['bleed', mm(2), doc(imageFrom(20 - mm(2)))],
    ['exemptCovering', 1, nearLeft],
    ['minObjectSide', mm(50), nearLeft],
    ['ignoreOutsideTrim', false, doc('q 5 0 0 5 12 200 cm /Im Do Q')],
    ['dieLines.areChecked', false, dieLine],
    ['dieLines.names', ['Gold'], dieLine],
    ['dieLines.warnWithin', mm(1), dieLine],
    ['dieLines.failWithin', mm(2), dieLine],
  ],
  TotalInkCoverage: [
    ['cmyk.warnAbove', 350, heavy],
    ['cmyk.failAbove', 305, heavy],
    ['allInks.failAbove', 305, heavy],
    ['windowSide', mm(60), heavy],
    ['dpi', 18, doc('1 1 1 1 k 100 100 30 44 re f')],
  ],
  ColorSpaces: [
    ['text', noRgb, rgb('BT /F1 12 Tf 100 200 Td (Text) Tj ET')],
    ['vector', noRgb, rgb('100 100 50 50 re f')],
    ['image', ['DeviceGray'], doc(imageAt('Im', 50))],
  ],
  ThinLines: [
    ['failBelow', 0.05, doc(line(0.1))],
    ['warnBelow', 1, doc(line(0.5))],
    ['whiteBelow', 1, doc(onCyan(line(0.5, '0 0 0 0 K')))],
  ],
  Transparency: [
    [
      'blendSpace',
      'Any',
      doc('/Half gs 0 g 100 100 50 50 re f', { extra: '/Group << /S /Transparency /CS /DeviceRGB >>' }),
    ],
  ],
  Annotations: [
    ['ignoreTypes', ['Text'], note('100 100 120 120')],
    ['printingOnly', true, note('100 100 120 120')],
  ],
  TextInPictures: [
    ['letters', 1000, scan],
    ['coverAtLeast', 100, scan],
    ['ignoreAbove', 100, scan],
  ],
  FoldLines: [
    ['panels', 4, doc(imageFrom(140 + mm(2))), { fold: 'ZigzagFold' }],
    ['shorter', mm(20), doc(imageFrom(140 + mm(2))), { fold: 'RollFold' }],
    ['mirrorEvenPages', false, doc('', { morePages: [{ content: imageFrom(112 + mm(2)) }] }), { fold: 'RollFold' }],
    ['warnWithin', mm(1), doc(imageFrom(200 + mm(2)))],
    ['failWithin', mm(2.5), doc(imageFrom(200 + mm(2)))],
    ['objects', ['text'], doc(imageFrom(200 + mm(2)))],
    ['ignoreLargerThan', mm(10), doc(imageFrom(200 + mm(2)))],
  ],
  Barcodes: [
    ['retailModule.failBelow', mm(0.3), smallCode],
    ['retailModule.warnBelow', mm(0.2), smallCode],
    ['linearModule.failBelow', mm(0.26), drawn('code128', 0.24)],
    ['linearModule.warnBelow', mm(0.2), drawn('code128', 0.24)],
    ['matrixModule.failBelow', mm(0.39), drawn('qrcode', 0.36)],
    ['matrixModule.warnBelow', mm(0.3), drawn('qrcode', 0.36)],
    ['quietZone.failBelow', 90, nearCode],
    ['quietZone.warnBelow', 50, nearCode],
    ['contrast.failBelow', 50, grayCode],
    ['contrast.warnBelow', 40, grayCode],
    ['dpi', 150, smallCode],
  ],
  PdfX: [['claimRequired', false, doc(something)]],
  PdfA: [['claimRequired', false, doc(something)]],
  Plates: [
    ['ignoreBelow', 5, doc('1 0 0 0 k 100 100 50 50 re f')],
    ['dpi', 18, doc('1 0 0 0 k 102.5 102.5 3 3 re f'), { ignoreBelow: 0.01 }],
  ],
  PageBoxes: [['tolerance', 5, doc(something, { extra: '/CropBox [2 2 398 498]' })]],
  HiddenObjects: [['findObscured', false, doc(`${text(12, '0 g')} 0.5 g 50 150 200 100 re f`)]],
  ProcessingSteps: [
    ['technicalSpots', ['Gold'], doc('/Gold cs 1 scn 100 100 50 50 re f')],
    ['strokeOnly', false, doc('/Over gs /Cut cs 1 scn 100 100 50 50 re f')],
    ['overprintRequired', false, doc('/Cut CS 1 SCN 100 100 50 50 re S')],
  ],
};

/** Settings of the render test that change no finding. */
const apart = ['DocumentIntegrity.renderTest.dpi', 'DocumentIntegrity.renderTest.timeoutSeconds'];

interface Node {
  properties?: Record<string, Node>;
}
const leavesOf = (node: Node, at: readonly string[] = []): string[] =>
  node.properties
    ? Object.entries(node.properties).flatMap(([name, child]) => leavesOf(child, [...at, name]))
    : [at.join('.')];
const pathsOf = (value: unknown, at: readonly string[] = []): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, child]) => pathsOf(child, [...at, name]))
    : [at.join('.')];

test('every setting is used by a rule case or a trial', () => {
  const untried = checkKeys.flatMap((key) => {
    const leaves = leavesOf(z.toJSONSchema(checkContracts[key].settings, { io: 'input' }) as Node);
    const turned = new Set([
      ...ruleCases[key].flatMap(({ settings }) => pathsOf(settings ?? {})),
      ...(trials[key] ?? []).map(([name]) => name),
    ]);
    return leaves.map((leaf) => [leaf, `${key}.${leaf}`] as const).filter(([leaf]) => !turned.has(leaf));
  });
  expect(untried.map(([, name]) => name)).toEqual(apart);
});

function put(settings: object, name: string, value: unknown): object {
  const copy = structuredClone(settings) as Record<string, unknown>;
  const steps = name.split('.');
  let node = copy;
  for (const step of steps.slice(0, -1)) {
    node[step] ??= {};
    node = node[step] as Record<string, unknown>;
  }
  node[steps.at(-1) ?? ''] = value;
  return copy;
}

/** Findings and measured values of a check, without durations and suggested fixes. */
async function reportedBy(key: CheckKey, file: string, settings: object): Promise<string> {
  const ruleCase = { settings } as RuleCase<CheckKey>;
  const { findings, checks } = await reportOf(key, ruleCase, file);
  return JSON.stringify([
    findings.map(({ fixableBy: _, ...finding }) => finding),
    checks.map(({ durationMs: _, ...check }) => check),
  ]);
}

/** By day those of one kind of code alone: the limits of the others are of the same kind, and each trial takes seconds. */
const trialsOf = (key: CheckKey): readonly Trial[] =>
  (trials[key] ?? []).filter(([name]) => isNight || key !== 'Barcodes' || !/^(linear|matrix)|warnBelow/.test(name));

test.each(checkKeys.filter((key) => trials[key]))('every setting of %s changes its report', async (key) => {
  const idle: string[] = [];
  /** Many trials turn a setting on the same document: its report without it is made once. */
  const known = new Map<Doc, Map<object, string>>();
  for (const [name, value, source, base = unset] of trialsOf(key)) {
    const file = path.join(directory, `${key}.pdf`);
    writeFileSync(file, pdfOf(source));
    const ofSource = known.get(source) ?? new Map<object, string>();
    const before = ofSource.get(base) ?? (await reportedBy(key, file, base));
    known.set(source, ofSource.set(base, before));
    const after = await reportedBy(key, file, put(base, name, value));
    if (before === after) idle.push(`${name} ${before.slice(0, 300)}`);
  }
  expect(idle).toEqual([]);
});
