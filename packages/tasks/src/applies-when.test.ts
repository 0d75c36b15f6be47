/** Settings with `appliesWhen`: the settings they name exist, and while the condition does not hold their value has no effect. */

import { sampled } from '@pdf2press/config/by-day';
import { type FixKey, fixContracts, fixKeys } from '@pdf2press/fix/contracts';
import { bytesOf, quicklyFixedBy } from '@pdf2press/fix/testing';
import { imposeProfileSchema } from '@pdf2press/impose/contracts';
import { buildPdf } from '@pdf2press/pdf/testing';
import { checkContracts } from '@pdf2press/preflight/contracts';
import { type AppliesWhen, conditionsOf, isTree, jsonOf, settingApplies } from '@pdf2press/settings';
import { expect, test } from 'vitest';
import type { z } from 'zod';

type Tree = Record<string, unknown>;
const treeOf = (value: unknown): Tree => (isTree(value) ? value : {});

/** Every group of settings in a schema, by path. */
function groupsOf(node: Tree, path: string): [string, Tree][] {
  const inner = [node.items, ...((node.anyOf ?? node.oneOf ?? []) as unknown[])].filter(isTree);
  const properties = Object.entries(treeOf(node.properties)) as [string, Tree][];
  return [
    ...(properties.length > 0 ? [[path, Object.fromEntries(properties)] as [string, Tree]] : []),
    ...properties.flatMap(([name, child]) => groupsOf(child, `${path}.${name}`)),
    ...inner.flatMap((child) => groupsOf(child, path)),
  ];
}

/** The possible values of an enumeration or a flag; empty for other settings. */
function valuesOf(node: Tree): unknown[] {
  if (node.type === 'boolean') return [true, false];
  if (Array.isArray(node.enum)) return node.enum;
  const inner = [node.items, ...((node.anyOf ?? node.allOf ?? []) as unknown[])].filter(isTree);
  return inner.flatMap(valuesOf);
}

const schemas: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(Object.values(checkContracts).map(({ key, settings }) => [`check ${key}`, settings])),
  ...Object.fromEntries(Object.values(fixContracts).map(({ key, settings }) => [`action ${key}`, settings])),
};

test('conditions name existing settings and values that they can have', () => {
  const groups = [
    ...Object.entries(schemas).flatMap(([name, schema]) => groupsOf(jsonOf(schema), name)),
    ...imposeProfileSchema.options.flatMap((layout) => groupsOf(jsonOf(layout), `layout ${layout.shape.type.value}`)),
  ];
  const conditions = groups.flatMap(([path, fields]) =>
    Object.entries(fields).flatMap(([name, node]) => {
      const { appliesWhen } = treeOf(node);
      return appliesWhen ? [{ path: `${path}.${name}`, fields, when: appliesWhen as AppliesWhen }] : [];
    }),
  );
  expect(conditions.length).toBeGreaterThan(60);
  const wrong = conditions.flatMap(({ path, fields, when }) =>
    conditionsOf(when).flatMap((condition) =>
      Object.entries(condition).flatMap(([name, wanted]) => {
        const known = valuesOf(treeOf(fields[name]));
        const unknown = [wanted].flat().filter((value) => !known.includes(value));
        return unknown.map((value) => `${path}: ${name}=${value}`);
      }),
    ),
  );
  expect(wrong).toEqual([]);
});

const pdf = buildPdf({
  objects: {
    9: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    10: {
      dict: '/Type/XObject/Subtype/Image/Width 4/Height 4/ColorSpace/DeviceRGB/BitsPerComponent 8',
      data: new Uint8Array(48).map((_, at) => at * 5),
    },
  },
  pages: [0, 1].map((at) => ({
    content:
      '0.6 0.4 0.4 1 k 20 20 60 60 re f 0.2 0.5 0.9 rg 60 60 40 40 re f 0.6 0.4 0.4 1 K 0.1 w 10 90 m 90 90 l S ' +
      '/Sp cs 0.8 scn 40 10 30 30 re f q /Half gs 0 1 0 0 k 10 50 20 20 re f Q q 20 0 0 20 70 20 cm /Im Do Q ' +
      (at === 0 ? 'BT /F 8 Tf 0 g 14 14 Td (live) Tj ET' : ''),
    mediaBox: [0, 0, 110, 110],
    resources:
      '/Font<</F 9 0 R>>/XObject<</Im 10 0 R>>/ExtGState<</Half<</ca 0.5>>>>' +
      '/ColorSpace<</Sp[/Separation/Gold/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 0.2 0.8 0.1]/N 1>>]>>',
    // The second page has no TrimBox and no BleedBox.
    extra: at === 0 ? '/TrimBox[10 10 100 100]/BleedBox[8 8 102 102]' : '',
  })),
});

/** A valid value other than the present one. */
function otherThan(value: unknown, node: Tree): unknown {
  const properties = Object.entries(treeOf(node.properties));
  if (properties.length > 0)
    return Object.fromEntries(properties.map(([name, inner]) => [name, otherThan(treeOf(value)[name], treeOf(inner))]));
  const known = valuesOf(node);
  if (Array.isArray(value) && node.type === 'array')
    return known.length > 0 ? (value.length > 0 ? [] : known) : node.unit === 'length' ? [30] : ['Other*'];
  if (known.length > 0) return known.find((one) => one !== value);
  const [first = node] = ((node.anyOf ?? []) as unknown[]).filter(isTree);
  if (first.type === 'string') return node.unit === undefined && value === 'all' ? '1' : 'Other';
  if (Array.isArray(first.prefixItems)) return [20, 20, 90, 90];
  const { minimum, maximum } = first as { minimum?: number; maximum?: number };
  return value === minimum ? maximum : (minimum ?? 1);
}

/** Settings for fast runs; image quality does not matter here. */
const quick: Partial<Record<FixKey, Tree>> = {
  AddBleeds: { dpi: 72 },
  FlatteningTransparencies: { lineArtDpi: 72, gradientDpi: 72, imageDpi: 72 },
  ResizePages: { width: 110, height: 100, maxScaleUp: 10_000, maxStretchDistortion: 10 },
  ConvertToPdfX: { strict: false },
};

/** Settings of an action with other values for those that do not apply; one case for each set of such settings. */
function casesOf(key: FixKey): { settings: Tree; unused: Tree }[] {
  const fields = treeOf(jsonOf(fixContracts[key].settings).properties) as Record<string, Tree>;
  const initial = fixContracts[key].settings.parse(quick[key] ?? {}) as Tree;
  const conditional = Object.entries(fields).flatMap(([name, node]) =>
    node.appliesWhen ? [{ name, node, when: node.appliesWhen as AppliesWhen }] : [],
  );
  const deciding = new Set(conditional.flatMap(({ when }) => conditionsOf(when).flatMap((one) => Object.keys(one))));
  const cases = [...deciding].flatMap((name) =>
    valuesOf(fields[name] ?? {}).flatMap((value) => {
      const settings = { ...initial, [name]: Array.isArray(initial[name]) ? [value] : value };
      const unused = conditional.filter(({ when }) => !settingApplies(when, settings));
      if (unused.length === 0) return [];
      const others = unused.map((one) => [one.name, otherThan(settings[one.name], one.node)]);
      return [{ settings, unused: Object.fromEntries(others) as Tree }];
    }),
  );
  return [...new Map(cases.map((one) => [Object.keys(one.unused).join(), one])).values()];
}

const conditional = fixKeys.filter((key) => key !== 'ImagesToPdf').filter((key) => casesOf(key).length > 0);
test.each(sampled(conditional, 6))('%s: a setting that does not apply does not change the file', async (key) => {
  for (const { settings, unused } of casesOf(key)) {
    const [plain, other] = [
      await quicklyFixedBy(pdf, key, settings),
      await quicklyFixedBy(pdf, key, { ...settings, ...unused }),
    ];
    const toldOf = ({ report }: typeof plain) =>
      report.actions.map(({ outcome, reason, warnings }) => ({ outcome, reason, warnings }));
    expect([unused, toldOf(other)]).toEqual([unused, toldOf(plain)]);
    expect([unused, Buffer.from(bytesOf(other.path)).equals(bytesOf(plain.path))]).toEqual([unused, true]);
  }
});
