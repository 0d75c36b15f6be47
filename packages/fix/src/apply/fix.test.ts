import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FixReason } from '@pdf2press/contract';
import { areToolsHere, buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { fixContracts, fixKeys } from '../fixes/contracts.ts';
import { deltaE00 } from '../gate/compare-pictures.ts';
import { fixChangeSentence, fixReasonSentence } from '../log/sentences.ts';
import { holds } from '../profile/condition.ts';
import { inversions, orderedActions } from '../profile/order.ts';
import { readFixProfile } from '../profile/profile.ts';
import { contentOf, fixed, fixedBy, look, testDir, writePdf } from '../testing/fix-files.ts';
import { reasonToSkip } from './when.ts';

const spot = '[/Separation/Gold/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 0.2 0.8 0.1]/N 1>>]';
const page = (content: string) =>
  buildPdf({ pages: [{ content, resources: `/ColorSpace<</S ${spot}>>`, mediaBox: [0, 0, 200, 200] }] });
const artwork = '/S cs 1 scn 20 20 60 60 re f 0 1 1 0 k 100 100 50 50 re f';

test('actions run in the engine order whatever the order of the list; inversions are reported to the editor', () => {
  const profile = readFixProfile({
    actions: [{ key: 'AddTrimMarks' }, { key: 'AddBleeds' }, { key: 'TruncatePages' }],
  });
  expect(orderedActions(profile).map(({ action }) => action.key)).toEqual([
    'TruncatePages',
    'AddBleeds',
    'AddTrimMarks',
  ]);
  expect(inversions({ ...profile, order: 'AsListed' }).map((warning: FixReason) => warning.params)).toEqual([
    { first: 'AddTrimMarks', second: 'AddBleeds' },
    { first: 'AddBleeds', second: 'TruncatePages' },
  ]);
});

test('lengths are read with units, and bound variables replace stored values', async () => {
  const profile = readFixProfile({
    variables: { 'AddBleeds.dpi': 'dpi' },
    actions: [{ key: 'AddBleeds', settings: { amount: '5mm', innerOffset: '0.5 pt' } }],
  });
  const [action] = profile.actions;
  expect(action?.key === 'AddBleeds' && action.settings.amount.top).toBeCloseTo(14.173, 3);
  expect(action?.key === 'AddBleeds' && action.settings.innerOffset).toBe(0.5);
  expect(() => readFixProfile({ actions: [{ key: 'AddBleeds', settings: { amount: 'wide' } }] })).toThrow(
    'SETTINGS_INVALID',
  );
});

test('`when` follows the findings of preflight and expressions over variables', () => {
  const [action] = readFixProfile({ actions: [{ key: 'RichBlack' }] }).actions;
  const report = (checkKey: string, severity: string) =>
    ({ findings: [{ checkKey, severity, fixableBy: null }] }) as never;
  if (!action) throw new Error('no action');
  expect(reasonToSkip(action, null, {})).toBeNull();
  expect(reasonToSkip(action, report('RichBlack', 'Warn'), {})).toBeNull();
  expect(reasonToSkip(action, report('RichBlack', 'Info'), {})?.code).toBe('when.noFinding');
  expect(reasonToSkip(action, report('Bleed', 'Fail'), {})?.code).toBe('when.noFinding');
  expect(holds('quantity >= 500 and product = "flyer"', { quantity: 500, product: 'Flyer' })).toBe(true);
  expect(holds('quantity > 500 or missing = 1', { quantity: 500 })).toBe(false);
});

test('a failing action keeps the original and writes no output; with WarnAndKeepOriginal the other actions still run', async () => {
  const pdf = buildPdf({
    pages: [
      { content: 'BT /F 12 Tf (x) Tj ET', resources: '/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>' },
    ],
  });
  const failed = await fixedBy(pdf, 'FontsOutline');
  expect(failed.report).toMatchObject({
    result: 'Error',
    out: null,
    actions: [{ outcome: 'Failed', reason: { code: 'fontNotEmbedded' } }],
  });
  expect(readFileSync(failed.before)).toEqual(Buffer.from(pdf));
  const kept = await fixed(pdf, [
    { key: 'FontsOutline', onError: 'WarnAndKeepOriginal', when: { is: 'Always' } },
    { key: 'SetPageBoxes', when: { is: 'Always' } },
  ]);
  expect(kept.report).toMatchObject({
    result: 'Warning',
    actions: [
      { action: 'SetPageBoxes', outcome: 'Applied' },
      { action: 'FontsOutline', outcome: 'Failed' },
    ],
  });
});

test('a file that needs no change is delivered byte for byte', async () => {
  const pdf = page(artwork);
  const { report, path } = await fixedBy(pdf, 'ThickenLines');
  expect(report).toMatchObject({ result: 'Success', out: { isChanged: false }, actions: [{ outcome: 'NothingToDo' }] });
  expect(createHash('sha1').update(readFileSync(path)).digest('hex')).toBe(
    createHash('sha1').update(pdf).digest('hex'),
  );
});

test('a change invalidates a signature: it is stripped with a warning, or the step refuses', async () => {
  const pdf = buildPdf({
    pages: [{ content: artwork, resources: `/ColorSpace<</S ${spot}>>`, extra: '/Annots[5 0 R]' }],
    objects: {
      5: '<</Type/Annot/Subtype/Widget/FT/Sig/T(s)/Rect[0 0 0 0]/F 132/V 6 0 R>>',
      6: '<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<00>>>',
    },
    catalog: '/AcroForm<</Fields[5 0 R]/SigFlags 3>>',
  });
  const stripped = await fixedBy(pdf, 'SetPageBoxes');
  expect(stripped.report.warnings).toMatchObject([{ code: 'signature.removed', params: { count: 1 } }]);
  look(stripped.path, (file) => expect(file.catalog.map.has('AcroForm')).toBe(false));
  const refused = await fixed(pdf, [{ key: 'SetPageBoxes', when: { is: 'Always' } }], { signatures: 'Refuse' });
  expect(refused.report.actions[0]).toMatchObject({ outcome: 'Failed', reason: { code: 'signature.present' } });
});

test('colour differences match the test data of Sharma, Wu and Dalal', () => {
  expect(deltaE00([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
  expect(deltaE00([50, -1.3802, -84.2814], [50, 0, -82.7485])).toBeCloseTo(1, 4);
  expect(deltaE00([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 4);
  expect(deltaE00([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514])).toBeCloseTo(0.9082, 4);
});

function settingPaths(schema: z.ZodType): string[] {
  type Node = { properties?: Record<string, Node> };
  const paths: string[] = [];
  const walk = (node: Node, path: readonly string[]) => {
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      if (['left', 'right', 'top', 'bottom'].includes(name)) continue;
      paths.push([...path, name].join('.'));
      walk(child, [...path, name]);
    }
  };
  walk(z.toJSONSchema(schema, { io: 'input' }) as Node, []);
  return paths;
}

test('every action has a label, a help text and labels of its settings', () => {
  for (const key of fixKeys) {
    const { settings, messages } = fixContracts[key];
    const codes = ['label', 'help', ...settingPaths(settings).map((path) => `settings.${path}.label`)];
    expect([key, codes.filter((code) => !messages.en[code])]).toEqual([key, []]);
  }
});

test('changes are reported as plain sentences', async () => {
  const { report, path } = await fixedBy(page(artwork), 'SetPageBoxes');
  expect(report.changes.map((change) => fixChangeSentence(change, 'en'))).toEqual([
    'Page 1: TrimBox is now 0 0 200 200 (was none)',
  ]);
  expect(report.changes.map((change) => fixChangeSentence(change, 'fr'))).toEqual([
    'Page 1 : TrimBox vaut 0 0 200 200 (avant : aucun)',
  ]);
  expect(report.changes.map((change) => fixChangeSentence(change, 'fr', 'Millimeters'))).toEqual([
    'Page 1 : TrimBox vaut 70,56 mm × 70,56 mm (avant : aucun)',
  ]);
  expect(contentOf(path)).toContain(artwork);
});

test('a sentence with a count uses the plural form of the language', () => {
  const removed = (count: number, locale: 'en' | 'fr' | 'zh') =>
    fixReasonSentence('', 'signature.removed', { count }, locale);
  expect(removed(1, 'en')).toBe('1 digital signature became invalid through the changes and was removed.');
  expect(removed(2, 'en')).toBe('2 digital signatures became invalid through the changes and were removed.');
  expect(removed(1, 'fr')).toContain('1 signature numérique');
  expect(removed(1, 'zh')).toContain('1 个数字签名');
});

/** Settings with which each action is relative: a second run would act on the result of the first. */
const relatives = [
  ['RotatePages', { turn: 'Clockwise' }],
  ['ResizePages', { target: 'Percent', percent: 50 }],
  ['TruncatePages', { keep: 'RemoveRange', range: '1' }],
  ['SetPageBoxes', { from: 'TrimBox', onlyIfMissing: false, inset: 5 }],
  ['Repair', { rewrite: 'Always' }],
] as const;
test.each(relatives)(
  '%s %o: a second run does nothing and says why; with other settings it runs',
  async (key, settings) => {
    const two = buildPdf({
      pages: [1, 2, 3].map(() => ({ content: artwork, resources: `/ColorSpace<</S ${spot}>>` })),
    });
    const once = await fixedBy(two, key, settings);
    expect(once.report.actions[0]?.outcome).toBe('Applied');
    const twice = await fixedBy(once.path, key, settings);
    expect(twice.report).toMatchObject({
      out: { isChanged: false },
      actions: [{ outcome: 'NothingToDo', reason: { code: 'already' } }],
    });
    if (key === 'Repair') return;
    const other = await fixedBy(once.path, key, settings, { pages: '1' });
    expect(other.report.actions[0]?.outcome).toBe('Applied');
  },
);

test.skipIf(!areToolsHere()).each(['128', '256'])(
  'pictures in a file that qpdf encrypted with AES of %s bits are found the same afterwards (skipped without qpdf)',
  async (bits) => {
    const picture = {
      dict: '/Subtype/Image/Width 9/Height 9/BitsPerComponent 8/ColorSpace/DeviceGray',
      data: new Uint8Array(81),
    };
    const dir = testDir();
    const plain = writePdf(
      buildPdf({
        objects: { 30: picture },
        pages: [{ content: 'q 50 0 0 50 20 20 cm /I Do Q', resources: '/XObject<</I 30 0 R>>' }],
      }),
      dir,
    );
    const locked = path.join(dir, 'locked.pdf');
    const cipher = bits === '128' ? ['--use-aes=y'] : [];
    execFileSync('qpdf', ['--allow-weak-crypto', '--encrypt', '', 'owner', bits, ...cipher, '--', plain, locked]);
    const { report } = await fixedBy(locked, 'SetPageBoxes', { box: 'Trim' });
    expect(report.actions[0]).toMatchObject({ outcome: 'Applied', gate: { isPassed: true, broken: [] } });
  },
);
