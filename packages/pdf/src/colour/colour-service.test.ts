import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Conversion, createColourService } from './colour-service.ts';
import { decodeInkName, inkNameOf } from './ink-names.ts';
import { readProfileFacts } from './profile-facts.ts';
import { profileBytes, type ShippedProfileId, shippedProfiles } from './shipped-profiles.ts';

const corpus = process.env.CORPUS_DIR ?? fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url));
const oracleFile = path.join(corpus, 'icc/oracle-icc.json');

type Oracle = Record<string, number[][] | undefined>;
const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((value, index) => value - (b[index] ?? Number.NaN)));
const largest = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((value, index) => Math.abs(value - (b[index] ?? Number.NaN))));

test.skipIf(!existsSync(oracleFile))('agrees with two independent colour engines', async () => {
  const colour = await createColourService();
  const oracle = JSON.parse(readFileSync(oracleFile, 'utf8')) as Record<string, Oracle>;
  const profiles: Record<string, ShippedProfileId> = {
    ISOcoated_v2_300_bas: 'isocoated-v2-300-bas',
    FOGRA39L_coated: 'fogra39l-coated',
  };
  let compared = 0;
  for (const [name, id] of Object.entries(profiles)) {
    const facts = oracle[name] ?? {};
    for (const { tables, inputs, conversion, scaleIn, scaleOut, tolerance, difference } of oracleRows(id)) {
      facts[inputs]?.forEach((input, index) => {
        const got = colour.convert(
          input.map((value) => value / scaleIn),
          conversion,
        );
        // The two engines interpolate differently in the darkest colours; both results are acceptable.
        const nearest = Math.min(
          ...tables.map((table) =>
            difference(
              got.map((value) => value * scaleOut),
              facts[table]?.[index] ?? [],
            ),
          ),
        );
        expect(nearest, `${name} ${tables[0]} ${input}`).toBeLessThanOrEqual(tolerance);
        compared += 1;
      });
    }
  }
  colour.close();
  expect(compared).toBe(132);
});

function oracleRows(id: ShippedProfileId) {
  const plain = { blackPointCompensation: false } as const;
  const both = (table: string): string[] => [`${table}_argyll`, `${table}_lcms`];
  const toLab = { inputs: 'cmyk_in', scaleIn: 100, scaleOut: 1, tolerance: 0.5, difference: distance };
  const toInk = { scaleOut: 100, tolerance: 1, difference: largest };
  const fromRgb = { ...toInk, inputs: 'rgb_in_srgb', scaleIn: 255 };
  const rows: {
    tables: string[];
    inputs: string;
    conversion: Conversion;
    scaleIn: number;
    scaleOut: number;
    tolerance: number;
    difference: (a: readonly number[], b: readonly number[]) => number;
  }[] = [
    { ...toLab, tables: both('lab_relcol'), conversion: { from: id, to: 'Lab', ...plain } },
    { ...toLab, tables: both('lab_abscol'), conversion: { from: id, to: 'Lab', intent: 'absolute' } },
    {
      ...toInk,
      inputs: 'lab_in',
      scaleIn: 1,
      tables: both('cmyk_relcol'),
      conversion: { from: 'Lab', to: id, ...plain },
    },
    { ...fromRgb, tables: ['rgb2cmyk_relcol_bpc_lcms'], tolerance: 1.5, conversion: { from: 'srgb', to: id } },
    {
      ...fromRgb,
      tables: ['rgb2cmyk_perceptual_lcms'],
      conversion: { from: 'srgb', to: id, intent: 'perceptual', ...plain },
    },
  ];
  return rows;
}

test('every shipped profile opens and has the expected facts', () => {
  const facts = Object.keys(shippedProfiles).map((id) => readProfileFacts(profileBytes(id as ShippedProfileId)));
  expect(facts.map(({ name, model, version }) => ({ name, model, version }))).toEqual([
    { name: 'FOGRA39L Coated', model: 'CMYK', version: '2.2' },
    { name: 'ISO Coated v2 300% (basICColor)', model: 'CMYK', version: '2.1' },
    { name: 'sRGB', model: 'RGB', version: '2.3' },
    { name: 'Gray', model: 'Gray', version: '2.3' },
    { name: 'Compatible with Adobe RGB (1998)', model: 'RGB', version: '4.4' },
    { name: 'eciRGB v2', model: 'RGB', version: '4.4' },
  ]);
  expect(facts.every((fact) => fact.isTarget)).toBe(true);
});

test('converting pixels gives the same as converting single colours, within 8 bits', async () => {
  const colour = await createColourService();
  const conversion: Conversion = { from: 'srgb', to: 'fogra39l-coated' };
  // More than one chunk, to test the boundary between chunks.
  const pixels = new Uint8Array(70_000 * 3).map((_, index) => (index * 7919) % 256);
  const bulk = colour.convertPixels(pixels, conversion);
  expect(bulk.length).toBe(70_000 * 4);
  for (const pixel of [0, 1, 65_535, 65_536, 69_999]) {
    const single = colour.convert(
      [...pixels.subarray(pixel * 3, pixel * 3 + 3)].map((value) => value / 255),
      conversion,
    );
    const difference = largest(
      [...bulk.subarray(pixel * 4, pixel * 4 + 4)],
      single.map((value) => value * 255),
    );
    // LittleCMS interpolates a coarser grid for 8-bit pixels.
    expect(difference).toBeLessThan(4);
  }
  colour.close();
});

test('thousands of conversions do not damage the WebAssembly heap', async () => {
  const colour = await createColourService();
  const ids = Object.keys(shippedProfiles) as ShippedProfileId[];
  const channels = { Gray: 1, RGB: 3, CMYK: 4, Lab: 3 };
  const before = colour.convert([0.2, 0.4, 0.6], { from: 'srgb', to: 'fogra39l-coated' });
  for (let round = 0; round < 20; round += 1) {
    for (const from of ids) {
      for (const to of ids) {
        const model = readProfileFacts(profileBytes(from)).model ?? 'RGB';
        const output = colour.convert(new Array(channels[model]).fill(0.5), {
          from,
          to,
          intent: round % 2 ? 'relative' : 'perceptual',
        });
        expect(output.every((value) => value >= -0.001 && value <= 1.001)).toBe(true);
      }
    }
  }
  expect(colour.convert([0.2, 0.4, 0.6], { from: 'srgb', to: 'fogra39l-coated' })).toEqual(before);
  colour.close();
});

test('bytes that are not an ICC profile are refused', async () => {
  const colour = await createColourService();
  const good = profileBytes('srgb');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(() => colour.convert([0, 0, 0], { from: bytes, to: 'Lab' })).toThrow('SETTINGS_INVALID');
    }),
    { numRuns: 50 },
  );
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
      const bent = Uint8Array.from(good);
      bent[at] = value;
      try {
        expect(colour.convert([0.5, 0.5, 0.5], { from: bent, to: 'Lab' })).toHaveLength(3);
      } catch (error) {
        expect((error as Error).message).toBe('SETTINGS_INVALID');
      }
    }),
    { numRuns: 100 },
  );
  colour.close();
});

test('ink names are decoded as UTF-8, else as Latin-1', () => {
  expect(decodeInkName(Buffer.from('Caf\u00e9', 'utf8'))).toBe('Caf\u00e9');
  expect(inkNameOf('Fa\u00e7on')).toBe('Fa\u00e7on');
  expect(inkNameOf(Buffer.from('\u9ec4\u91d1', 'utf8').toString('latin1'))).toBe('\u9ec4\u91d1');
});
