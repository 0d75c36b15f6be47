/** Greys in RGB and Lab: the tint of black that they become, as the separated plates show it. */
import { readFileSync } from 'node:fs';
import { createColourService, encodeJpeg, openRenderService, pixelsOf, shippedProfilePath } from '@pdf2press/pdf';
import { buildPdf, type ObjectSource } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { quicklyFixedBy, testDir } from '../../testing/fix-files.ts';

const side = 20;
const colour = await createColourService();
afterAll(() => colour.close());
const press = 'fogra39l-coated';

/** Inks in percent of patches that lie side by side: C, M, Y, K. */
async function inksOf(patches: readonly string[], preserve: object, objects: Record<number, ObjectSource> = {}) {
  const pdf = buildPdf({
    objects: { 6: { dict: '/N 3', data: readFileSync(shippedProfilePath('eci-rgb-v2')) }, ...objects },
    pages: [
      {
        mediaBox: [0, 0, side * patches.length, side],
        content: patches.map((patch, at) => `q 1 0 0 1 ${at * side} 0 cm ${patch} Q`).join('\n'),
        resources: `/ColorSpace<</E[/ICCBased 6 0 R]/L[/Lab<</WhitePoint[0.9642 1 0.8249]/Range[-128 127 -128 127]>>]>>/XObject<<${Object.keys(
          objects,
        )
          .map((number) => `/X${number} ${number} 0 R`)
          .join('')}>>`,
      },
    ],
  });
  const { path } = await quicklyFixedBy(pdf, 'ColorspaceTransformation', { destinationProfile: press, preserve });
  const service = openRenderService({ path, workDir: testDir() });
  try {
    const plates = await service.plates(1, { dpi: 72, box: 'media' });
    return patches.map((_, index) => {
      const at = [(index + 0.5) * side, side / 2] as const;
      const { left, top } = pixelsOf(plates.frame, [...at, ...at]);
      return plates.inks.slice(0, 4).map(({ id }) => (plates.plate(id)[top * plates.width + left] ?? 0) / 2.55);
    });
  } finally {
    service.close();
  }
}

const filled = (operator: string): string => `${operator} 0 0 ${side} ${side} re f`;
const lightness = (values: readonly number[], from: 'srgb' | 'eci-rgb-v2' | typeof press): number =>
  colour.convert(values, { from, to: 'Lab', intent: 'relative', blackPointCompensation: false })[0] ?? 0;
const isBlackOnly = (inks: readonly number[] | undefined): boolean =>
  (inks ?? [100]).slice(0, 3).every((ink) => ink < 1) && (inks?.[3] ?? 0) > 1;

test('with their lightness kept, greys print as light as they are; darker ones than black ink become full black', async () => {
  const levels = [0.2, 0.5, 0.75, 0.9];
  const kept = await inksOf(
    levels.map((level) => filled(`${level} ${level} ${level} rg`)),
    { keepLightness: true },
  );
  for (const [at, level] of levels.entries()) {
    const black = kept[at]?.[3] ?? 0;
    expect(isBlackOnly(kept[at])).toBe(true);
    expect(Math.abs(lightness([0, 0, 0, black / 100], press) - lightness([level, level, level], 'srgb'))).toBeLessThan(
      1,
    );
  }
  const [spread, dark] = await inksOf([filled('0.5 0.5 0.5 rg'), filled('0.02 0.02 0.02 rg')], {});
  expect(lightness([0, 0, 0, (spread?.[3] ?? 0) / 100], press)).toBeGreaterThan(60);
  expect(dark?.[3]).toBeLessThan(99.5);
  const [darkest, lab] = await inksOf([filled('0.02 0.02 0.02 rg'), filled('/L cs 50 0 0 scn')], {
    keepLightness: true,
  });
  expect(darkest?.[3]).toBeCloseTo(100, 0);
  expect(Math.abs(lightness([0, 0, 0, (lab?.[3] ?? 0) / 100], press) - 50)).toBeLessThan(1);
});

test('a grey is read with the profile of its own space', async () => {
  const [own, assumed] = await inksOf([filled('/E cs 0.5 0.5 0.5 scn'), filled('0.5 0.5 0.5 rg')], {
    keepLightness: true,
  });
  expect(Math.abs(lightness([0, 0, 0, (own?.[3] ?? 0) / 100], press) - 50)).toBeLessThan(1);
  expect((own?.[3] ?? 0) - (assumed?.[3] ?? 0)).toBeGreaterThan(2);
});

test('the tolerance decides how far from neutral a grey may be, in RGB and in Lab', async () => {
  const patches = [
    filled('0.5 0.515 0.49 rg'),
    filled('0.5 0.6 0.49 rg'),
    filled('/L cs 50 2 1 scn'),
    filled('/L cs 50 6 1 scn'),
  ];
  expect((await inksOf(patches, {})).map(isBlackOnly)).toEqual([false, false, false, false]);
  expect((await inksOf(patches, { neutralTolerance: '3 %' })).map(isBlackOnly)).toEqual([true, false, true, false]);
});

const flat = (levels: readonly number[], bytes: 1 | 2): Uint8Array =>
  Uint8Array.from({ length: 16 * 16 * 3 * bytes }, (_, at) => levels[Math.floor(at / bytes) % 3] as number);
const picture = (data: Uint8Array, bits: number, filter = ''): ObjectSource => ({
  dict: `/Type/XObject/Subtype/Image/Width 16/Height 16/ColorSpace/DeviceRGB/BitsPerComponent ${bits}${filter}`,
  data,
});
test.each([
  ['without loss', async (levels: number[]) => picture(flat(levels, 1), 8)],
  ['of 16 bits', async (levels: number[]) => picture(flat(levels, 2), 16)],
  [
    'as JPEG',
    async (levels: number[]) =>
      picture(
        await encodeJpeg(
          flat(levels, 1),
          { width: 16, height: 16, components: 3 },
          { quality: 95, isSubsampled: false },
        ),
        8,
        '/Filter/DCTDecode',
      ),
  ],
] as const)(
  'greys of pictures %s print in black only when asked, colours of the same picture do not',
  async (_kind, make) => {
    const objects = { 20: await make([128, 128, 128]), 21: await make([130, 127, 126]), 22: await make([200, 60, 40]) };
    const shown = [20, 21, 22].map((number) => `${side} 0 0 ${side} 0 0 cm /X${number} Do`);
    const vector = filled('0.50196 0.50196 0.50196 rg');
    const plain = await inksOf([...shown, vector], {}, objects);
    expect(plain.map(isBlackOnly)).toEqual([false, false, false, true]);
    const black = await inksOf([...shown, vector], { neutralPixelsToK: true, neutralTolerance: '2 %' }, objects);
    expect(black.map(isBlackOnly)).toEqual([true, true, false, true]);
    expect(Math.abs((black[0]?.[3] ?? 0) - (black[3]?.[3] ?? 0))).toBeLessThan(1.5);
    for (const [ink, level] of (plain[2] ?? []).entries())
      expect(Math.abs(level - (black[2]?.[ink] ?? 0))).toBeLessThan(1);
  },
);
