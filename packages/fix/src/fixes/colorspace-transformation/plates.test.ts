/** Plates of the converted file for each setting, as separated by Ghostscript. */
import {
  type Conversion,
  createColourService,
  isDict,
  isName,
  openRenderService,
  type PdfFile,
  pixelsOf,
} from '@pdf2press/pdf';
import { buildPdf } from '@pdf2press/pdf/testing';
import { afterAll, expect, test } from 'vitest';
import { look, quicklyFixedBy, testDir } from '../../testing/fix-files.ts';

const key = 'ColorspaceTransformation';
const side = 20;
const patches = {
  black: '0 0 0 rg',
  grey: '0.5 0.5 0.5 rg',
  red: '0.8 0.2 0.1 rg',
  lab: '/L cs 60 20 -30 scn',
  deviceGrey: '0.4 g',
  magenta: '0 1 0 0 k',
  spot: '/S cs 0.7 scn',
} as const;
type Patch = keyof typeof patches;
const names = Object.keys(patches) as Patch[];
const pdf = buildPdf({
  pages: [
    {
      mediaBox: [0, 0, side * names.length, side],
      content: names.map((name, at) => `${patches[name]} ${at * side} 0 ${side} ${side} re f`).join('\n'),
      resources:
        '/ColorSpace<</L[/Lab<</WhitePoint[0.9642 1 0.8249]/Range[-128 127 -128 127]>>]/S[/Separation/Spot/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 0.5 1 0]/N 1>>]>>',
      extra: '/Group<</S/Transparency/CS/DeviceRGB>>',
    },
  ],
});
const process = ['Cyan', 'Magenta', 'Yellow', 'Black'];
const colour = await createColourService();
afterAll(() => colour.close());

/** Inks of each patch by name, in percent. */
async function platesOf(path: string): Promise<Record<Patch, Record<string, number>>> {
  const service = openRenderService({ path, workDir: testDir() });
  try {
    const plates = await service.plates(1, { dpi: 72, box: 'media' });
    return Object.fromEntries(
      names.map((name, index) => {
        const at = [index * side + side / 2, side / 2] as const;
        const { left, top } = pixelsOf(plates.frame, [...at, ...at]);
        const inks = plates.inks.map(
          (ink) => [ink.name, Math.round((plates.plate(ink.id)[top * plates.width + left] ?? 0) / 0.255) / 10] as const,
        );
        return [name, Object.fromEntries(inks.filter(([, value]) => value > 0.4))];
      }),
    ) as Record<Patch, Record<string, number>>;
  } finally {
    service.close();
  }
}

/** The same colour converted by LittleCMS. */
const exact = (values: readonly number[], conversion: Omit<Conversion, 'to'>): number[] =>
  colour.convert(values, { to: 'fogra39l-coated', ...conversion }).map((ink) => ink * 100);

function blendSpaceOf(file: PdfFile): string | null {
  const group = file.pages[0] ? file.entry(file.pages[0].dict, 'Group') : null;
  const space = isDict(group) ? file.entry(group, 'CS') : null;
  return isName(space) ? space.name : null;
}

function expectInks(found: Record<string, number>, inks: readonly number[]): void {
  for (const [at, ink] of inks.entries()) {
    const off = Math.abs((found[process[at] ?? ''] ?? 0) - ink);
    expect([process[at], off < 1]).toEqual([process[at], true]);
  }
}

test('black and greys print in black only, colours are converted as set, spots stay', async () => {
  const { path } = await quicklyFixedBy(pdf, key);
  const plates = await platesOf(path);
  expect(plates.black).toEqual({ Black: 100 });
  expect(Object.keys(plates.grey)).toEqual(['Black']);
  expect(plates.deviceGrey).toEqual({ Black: 60 });
  expect(plates.magenta).toEqual({ Magenta: 100 });
  expect(Object.keys(plates.spot)).toEqual(['Spot']);
  expectInks(plates.red, exact([0.8, 0.2, 0.1], { from: 'srgb' }));
  expectInks(plates.lab, exact([60, 20, -30], { from: 'Lab' }));
  look(path, (file) => {
    expect(file.entry(file.catalog, 'OutputIntents')).toHaveLength(1);
    expect(blendSpaceOf(file)).toBe('DeviceCMYK');
  });
});

test('nothing preserved, another rendering intent, no black point compensation, spots to process inks, no output intent, no blend space', async () => {
  const { path } = await quicklyFixedBy(pdf, key, {
    intent: 'perceptual',
    blackPointCompensation: false,
    preserve: { pureK: false, neutralToK: false, grayToK: false, pureCMY: false },
    sources: ['DeviceRGB', 'Lab', 'DeviceGray'],
    assumedSource: { Gray: 'gray' },
    spotHandling: 'ToProcess',
    setOutputIntent: false,
    setBlendSpace: false,
  });
  const plates = await platesOf(path);
  const conversion = { intent: 'perceptual', blackPointCompensation: false } as const;
  expectInks(plates.black, exact([0, 0, 0], { from: 'srgb', ...conversion }));
  expectInks(plates.grey, exact([0.5, 0.5, 0.5], { from: 'srgb', ...conversion }));
  expectInks(plates.red, exact([0.8, 0.2, 0.1], { from: 'srgb', ...conversion }));
  expectInks(plates.deviceGrey, exact([0.4], { from: 'gray', ...conversion }));
  expectInks(plates.spot, [0, 35, 70, 0]);
  expect(Object.values(plates).flatMap((inks) => Object.keys(inks))).not.toContain('Spot');
  look(path, (file) => {
    expect(file.catalog.map.has('OutputIntents')).toBe(false);
    expect(blendSpaceOf(file)).toBe('DeviceRGB');
  });
});

test('absolute colorimetric intent, an ink limit, a renamed spot', async () => {
  const { path } = await quicklyFixedBy(pdf, key, { intent: 'absolute', spotHandling: 'MapTo(Gold)', maxInk: 200 });
  const plates = await platesOf(path);
  expectInks(plates.lab, exact([60, 20, -30], { from: 'Lab', intent: 'absolute' }));
  expect(Object.keys(plates.spot)).toEqual(['Gold']);
  for (const inks of Object.values(plates))
    expect(Object.values(inks).reduce((sum, ink) => sum + ink, 0)).toBeLessThan(201);
});
