import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { locales } from '@pdf2press/contract';
import { expect, test } from 'vitest';
import { checkContracts, checkKeys } from '../checks/contracts.ts';
import { messages as frameMessages } from '../findings/messages.ts';
import { type PreflightProfile, preflightProfileSchema, severityOf } from '../profile/profile.ts';
import { gwg2022Variants } from './gwg2022-limits.ts';
import { presetOf, presets } from './presets.ts';

test('every preset has a unique key and a valid profile', () => {
  expect(new Set(presets.map(({ key }) => key)).size).toBe(presets.length);
  expect(presets.filter(({ group }) => group === 'GWG2022')).toHaveLength(23);
  for (const { profile, key, version } of presets) {
    expect(preflightProfileSchema.parse(JSON.parse(JSON.stringify(profile)))).toEqual(profile);
    expect(profile.basePreset).toEqual({ key, version });
  }
});

test('house presets have names in every language', () => {
  for (const { key } of presets.filter(({ group }) => group === 'house')) {
    for (const locale of locales) expect(frameMessages[locale][`presets.${key}`]).toBeTruthy();
  }
});

test('checks of GWG presets name the rules of the specification', () => {
  const profile = presetOf('gwg2022-newspaper-ads-cmyk')?.profile;
  const black = profile?.checks.find(({ key }) => key === 'RichBlack');
  expect(black?.standardRules).toEqual({ sum: 'GWG2022:R0015' });
  expect(black?.settings).toMatchObject({ text: { maxSum: 220, minK: 85 } });
});

test('GWG 2015 has the 14 variants of its family, and every rule of them is named by its section', () => {
  const of2015 = presets.filter(({ group }) => group === 'GWG2015');
  expect(of2015).toHaveLength(14);
  const named = of2015.flatMap(({ profile }) => profile.checks.flatMap((check) => Object.values(check.standardRules)));
  expect(named.filter((rule) => !/^GWG2015:4\.\d+$/.test(rule))).toEqual([]);
});

test.each([
  ['gwg2015-newspaper-ads-cmyk', 1, 220, [99, 449], 'Fail'],
  ['gwg2015-newspaper-ads-cmyk-rgb', 0, 220, [99, 449], 'Fail'],
  ['gwg2015-magazine-ads-cmyk', 0, 280, [149, 449], 'Fail'],
  ['gwg2015-sheetspot-cmyk', 0, 280, [149, 449], 'Warn'],
  ['gwg2015-webcmyk-cmyk', 0, 280, [149, 449], 'Fail'],
] as const)('%s differs from 2022 where the specification of 2015 does', (key, spots, black, single, sameSize) => {
  const checks = presetOf(key)?.profile.checks ?? [];
  const settings = (name: string) => checks.find((check) => check.key === name)?.settings;
  const severities = (name: string) => checks.find((check) => check.key === name)?.severities;
  expect(settings('SpotColors')).toMatchObject({ maxCount: spots });
  expect(settings('RichBlack')).toMatchObject({ text: { maxSum: black } });
  expect(settings('ImageResolution')).toMatchObject({
    singleImagePage: { failBelow: single[0], warnBelow: single[1] },
  });
  expect(severities('PageDimentions')).toMatchObject({ differs: sameSize });
  expect(severities('Layers')).toMatchObject({ configs: 'Fail' });
});

/** Rules of the GWG 2022 specification as JSON, made from its workbook, which may not be redistributed. */
const workbook = path.join(
  process.env.SPEC_DIR ?? path.resolve(import.meta.dirname, '../../../../../shared/spec'),
  'gwg2022.json',
);

/** A rule in the extract; values are texts such as 'A = 149ppi'. */
interface Rule {
  severity?: ('error' | 'warning')[];
  values?: string[];
}
test.skipIf(!existsSync(workbook))(
  'the limits agree with the rules of the GWG 2022 specification (skipped without gwg2022.json)',
  () => {
    const { variants } = JSON.parse(readFileSync(workbook, 'utf8')) as {
      variants: Record<string, Record<string, Rule>>;
    };
    expect(gwg2022Variants.map(({ name }) => name).sort()).toEqual(Object.keys(variants).sort());
    for (const variant of gwg2022Variants) {
      const rules = variants[variant.name] ?? {};
      const numbers = (rule: string) =>
        (rules[rule]?.values ?? []).flatMap((text) => (text.match(/[\d.]+/g) ?? []).map(Number));
      const level = (rule: string) => ({ error: 'E', warning: 'W', none: '' })[rules[rule]?.severity?.[0] ?? 'none'];
      expect({
        name: variant.name,
        ppi: variant.ppi,
        oneBit: variant.oneBitPpi,
        single: variant.singleImagePpi ?? [],
      }).toEqual({
        name: variant.name,
        ppi: numbers('R0031'),
        oneBit: numbers('R0032'),
        single: numbers('R0033'),
      });
      expect([variant.whiteText, variant.multiInkText, variant.whiteLine, variant.multiInkLine]).toEqual(
        ['R0016', 'R0017', 'R0018', 'R0019'].flatMap(numbers),
      );
      const total = variant.tac ? [variant.tac.percent, 15] : [];
      expect(total).toEqual(variant.tac?.inks === 'all' ? numbers('R0025') : numbers('R0026'));
      expect(variant.richBlackSum === null ? [] : [0.85, variant.richBlackSum / 100]).toEqual(numbers('R0015'));
      expect([
        variant.userUnit,
        variant.sameSize,
        variant.emptyPage,
        variant.onePage,
        variant.whitePath,
        variant.noSpots,
        variant.layerConfigs,
      ]).toEqual(['R0002', 'R0004', 'R0005', 'R0006', 'R0008', 'R0020', 'R0034'].map(level));
      const flags = [
        variant.blackText,
        variant.blackLine,
        variant.grayOverprint,
        variant.courier,
        variant.spotNames,
        variant.registration,
        variant.largeFormat,
      ];
      expect(flags).toEqual(
        ['R0009', 'R0010', 'R0013', 'R0014', 'R0021', 'R0024', 'R0036'].map((rule) => rule in rules),
      );
      expect(variant.processingSteps.length).toBe(['R1001', 'R1002'].filter((rule) => rule in rules).length);
      // A CMYK + RGB variant also lists the stricter rule, for CMYK objects.
      const strictest = 'R0029' in rules ? 'Late' : 'R0028' in rules ? 'Intermediate' : 'Early';
      expect([variant.name, variant.binding]).toEqual([variant.name, strictest]);
    }
  },
);

/** R0037 (scale and viewing distance) sets fields of the profile and gives no findings. */
const stated = ['R0037'];
test.skipIf(!existsSync(workbook))(
  'every rule of a variant is named by one of its checks (skipped without gwg2022.json)',
  () => {
    const { variants } = JSON.parse(readFileSync(workbook, 'utf8')) as { variants: Record<string, object> };
    const uncarried = presets.flatMap(({ name, profile }) => {
      const rules = Object.keys(variants[name.replace('GWG 2022 ', '')] ?? {});
      const carried = new Set(
        profile.checks.flatMap(({ standardRules, severities }) =>
          Object.entries(standardRules).flatMap(([rule, standard]) =>
            (severities as Record<string, string>)[rule] === 'Off' ? [] : standard,
          ),
        ),
      );
      return rules
        .filter((rule) => !stated.includes(rule) && !carried.has(`GWG2022:${rule}`))
        .map((rule) => `${name} ${rule}`);
    });
    expect(uncarried).toEqual([]);
  },
);

/** The most severe that a check can say in a profile: an error, as its limits say, a warning, a note; or that it is off. */
function strongest(profile: PreflightProfile, key: (typeof checkKeys)[number]): string {
  const said = profile.checks
    .filter((check) => check.key === key && check.enabled)
    .flatMap((check) => Object.keys(checkContracts[key].rules).map((rule) => severityOf(check, rule)));
  const letters = { Fail: 'E', Measured: 'L', Warn: 'W', Info: 'N' } as const;
  return Object.entries(letters).find(([severity]) => said.some((one) => one === severity))?.[1] ?? '';
}

function tableOf(group: string): string {
  const columns = presets.filter((preset) => preset.group === group);
  const numbers = columns.map((_, at) => String(at + 1));
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    columns.map(({ name }, at) => `${at + 1}. ${name}`).join('\n'),
    '',
    row(['Check', ...numbers]),
    row(['---', ...numbers.map(() => ':-:')]),
    ...checkKeys.map((key) => row([key, ...columns.map(({ profile }) => strongest(profile, key))])),
  ].join('\n');
}

const page = path.resolve(import.meta.dirname, '../../../../docs/presets.md');
test('docs/presets.md shows every preset beside every check', () => {
  const text = `# Preflight presets beside the checks

**E**: the check can give an error; **L**: error or warning, by its limits; **W**: a warning; **N**: a note; empty: the preset does not use it. Limits and their sources are in \`packages/preflight/src/presets\`. To regenerate this file run
\`PREFLIGHT_QUALITY=write npx vitest run --config packages/config/vitest.config.ts --project preflight presets\`.

## Products

${tableOf('house')}

## GWG 2022

${tableOf('GWG2022')}

## GWG 2015

${tableOf('GWG2015')}

## PDF/X

${tableOf('PDFX')}

## PDF/A

${tableOf('PDFA')}
`;
  if (process.env.PREFLIGHT_QUALITY === 'write') writeFileSync(page, text);
  expect(existsSync(page) ? readFileSync(page, 'utf8') : '').toBe(text);
});
