import { doc, imageAt, picture, profileOf, space } from '../../quality/content.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

const icc = (components: 3 | 4) => ({
  484: { dict: `/N ${components}`, data: profileOf(components === 3 ? 'RGB ' : 'CMYK') },
});
const iccVector = (components: 3 | 4) =>
  doc(`/Own cs ${'0.5 '.repeat(components)}scn 100 100 50 50 re f`, space('[/ICCBased 484 0 R]', icc(components)));
const iccPicture = (components: 3 | 4) => {
  const pixels = picture('/BitsPerComponent 8 /ColorSpace [/ICCBased 484 0 R]', new Uint8Array(100 * components));
  return doc(imageAt('Pic', 50), { ...pixels, objects: { ...pixels.objects, ...icc(components) } });
};
/** A JPEG 2000 image whose colour space is in its data only: start of codestream and image size (ITU-T T.800, A.5.1). */
function jpx(components: number) {
  const head = Buffer.alloc(45);
  head.writeUInt32BE(0xff4fff51, 0);
  head.writeUInt32BE(10, 8);
  head.writeUInt32BE(10, 12);
  head.writeUInt16BE(components, 40);
  head[42] = 7;
  return doc(imageAt('Pic', 50), picture('/Filter /JPXDecode', head));
}
const spot = (alternate: string, values: string) =>
  doc(
    '/Own cs 1 scn 100 100 50 50 re f',
    space(`[/Separation /Fox ${alternate} << /FunctionType 2 /Domain [0 1] /N 1 /C0 [${values}] /C1 [${values}] >>]`),
  );
const gradient = (family: string, values: string) =>
  doc('/Pattern cs /Own scn 100 100 50 50 re f', {
    resources: '/Pattern << /Own 483 0 R >>',
    objects: {
      483: `<< /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /${family} /Coords [100 0 150 0] /Function << /FunctionType 2 /Domain [0 1] /N 1 /C0 [${values}] /C1 [${values}] >> >> >>`,
    },
  });

export const cases: readonly RuleCase<'ColorSpaces'>[] = [
  {
    kind: 'object',
    rule: 'notAllowed',
    countsInWhite: true,
    settings: { binding: 'Early' },
    breaks: doc('1 0 0 rg 100 100 50 50 re f'),
    passes: doc('1 0 0 0 k 100 100 50 50 re f'),
  },
  {
    kind: 'object',
    rule: 'untaggedRgb',
    countsInWhite: true,
    breaks: doc('1 0 0 rg 100 100 50 50 re f'),
    passes: doc('/Lab cs 50 0 0 scn 100 100 50 50 re f'),
  },
  {
    kind: 'object',
    rule: 'lab',
    countsInWhite: true,
    breaks: doc('/Lab cs 50 0 0 scn 100 100 50 50 re f'),
    passes: doc('1 0 0 rg 100 100 50 50 re f'),
  },
  {
    kind: 'object',
    rule: 'iccCmyk',
    countsInWhite: true,
    breaks: doc(
      '/Own cs 1 0 0 0 scn 100 100 50 50 re f',
      space('[/ICCBased 484 0 R]', { 484: { dict: '/N 4', data: profileOf('CMYK') } }),
    ),
    passes: doc('1 0 0 0 k 100 100 50 50 re f'),
  },
  // Only pictures may wait for their conversion.
  {
    kind: 'object',
    rule: 'notAllowed',
    countsInWhite: true,
    settings: { binding: 'Intermediate' },
    breaks: iccVector(3),
    passes: iccPicture(3),
  },
  {
    kind: 'object',
    rule: 'notAllowed',
    countsInWhite: true,
    settings: { binding: 'Late' },
    breaks: iccVector(4),
    passes: iccPicture(4),
  },
  {
    kind: 'object',
    rule: 'notAllowed',
    settings: { binding: 'Intermediate' },
    breaks: iccPicture(4),
    passes: iccPicture(3),
  },
  {
    kind: 'object',
    rule: 'notAllowed',
    countsInWhite: true,
    settings: { binding: 'Late' },
    breaks: doc('/Lab cs 50 0 0 scn 100 100 50 50 re f'),
    passes: doc('/Gold cs 1 scn 100 100 50 50 re f'),
  },
  {
    kind: 'object',
    rule: 'notAllowed',
    countsInWhite: true,
    settings: { binding: 'Early' },
    breaks: spot('/DeviceRGB', '1 0 0'),
    passes: spot('/DeviceCMYK', '0 1 1 0'),
  },
  {
    kind: 'object',
    rule: 'notAllowed',
    countsInWhite: true,
    settings: { binding: 'Early' },
    breaks: gradient('DeviceRGB', '1 0 0'),
    passes: gradient('DeviceCMYK', '0 1 1 0'),
  },
  { kind: 'object', rule: 'notAllowed', settings: { binding: 'Early' }, breaks: jpx(3), passes: jpx(4) },
];
