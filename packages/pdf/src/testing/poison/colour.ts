/** Circular and very large colour spaces, functions and shadings. */
import type { ObjectSource } from '../build-pdf.ts';
import { one, range, zeroBomb } from './parts.ts';

export function* colour(): Generator<[string, Uint8Array]> {
  const space = (value: string, objects: Record<number, ObjectSource> = {}): Uint8Array =>
    one(
      {
        content: '/C cs 0.5 0.5 0.5 0.5 scn 0 0 9 9 re f',
        resources: `/ColorSpace << /C ${value} /DefaultRGB 50 0 R /DefaultCMYK 50 0 R >>`,
      },
      objects,
    );
  const tint = '<< /FunctionType 2 /Domain [0 1] /N 1 >>';
  yield ['space-self', space('50 0 R', { 50: '[/Indexed 50 0 R 255 (x)]' })];
  yield [
    'space-circle',
    space('50 0 R', { 50: `[/Separation /A 51 0 R ${tint}]`, 51: `[/DeviceN [/B] 50 0 R ${tint}]` }),
  ];
  yield [
    'space-deep',
    space('50 0 R', Object.fromEntries(range(200, (i) => [50 + i, `[/Separation /A ${51 + i} 0 R ${tint}]`]))),
  ];
  yield ['space-names-65k', space(`[/DeviceN [${range(65_000, (i) => `/S${i}`).join(' ')}] /DeviceCMYK ${tint}]`)];
  yield ['space-indexed-huge', space('[/Indexed /DeviceRGB 2000000000 (x)]')];
  yield [
    'space-icc-bomb',
    space('[/ICCBased 50 0 R]', {
      50: { dict: '/N 2000000000 /Alternate [/ICCBased 50 0 R] /Filter /FlateDecode', data: zeroBomb(50) },
    }),
  ];
  yield ['space-odd', space('[/Lab << /Range [1e30 -1e30] >>]')];
  yield ['space-empty', space('[]')];
  const spot = (fn: string, objects: Record<number, ObjectSource> = {}): Uint8Array =>
    space(`[/Separation /Spot /DeviceCMYK ${fn}]`, objects);
  const calculator = (program: string): Record<number, ObjectSource> => ({
    51: { dict: '/FunctionType 4 /Domain [0 1] /Range [0 1 0 1 0 1 0 1]', data: program },
  });
  yield [
    'function-self',
    spot('51 0 R', {
      51: '<< /FunctionType 3 /Domain [0 1] /Functions [51 0 R 51 0 R] /Bounds [0.5] /Encode [0 1 0 1] >>',
    }),
  ];
  yield ['function-4-deep', spot('51 0 R', calculator('{'.repeat(50_000)))];
  yield ['function-4-copy', spot('51 0 R', calculator(`{ ${'2000000000 copy dup '.repeat(5000)} }`))];
  yield ['function-4-roll', spot('51 0 R', calculator(`{ ${'1 2 3 1000000000 2000000000 roll '.repeat(2000)} }`))];
  yield ['function-4-nan', spot('51 0 R', calculator('{ 0 0 div sqrt ln 0 0 idiv 0 mod }'))];
  yield [
    'function-0-huge',
    spot('51 0 R', {
      51: {
        dict: '/FunctionType 0 /Domain [0 1] /Range [0 1 0 1 0 1 0 1] /Size [2000000000] /BitsPerSample 32',
        data: 'x',
      },
    }),
  ];
  yield [
    'function-0-dimensions',
    spot('51 0 R', {
      51: {
        dict: `/FunctionType 0 /Domain [${'0 1 '.repeat(60)}] /Range [0 1] /Size [${'9 '.repeat(60)}] /BitsPerSample 8`,
        data: 'x',
      },
    }),
  ];
  yield [
    'shading-self',
    one(
      { content: '/S sh', resources: '/Shading << /S 50 0 R >>' },
      { 50: '<< /ShadingType 9 /ColorSpace [/Pattern 50 0 R] /BBox [0 0] /Function 50 0 R >>' },
    ),
  ];
}
