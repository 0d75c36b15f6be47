/** What a fix cannot correct is reported with a code, parameters and a sentence. No partly written file is left. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { locales } from '@pdf2press/contract';
import { buildPdf } from '@pdf2press/pdf/testing';
import { expect, test } from 'vitest';
import type { FixKey } from '../fixes/contracts.ts';
import { fixReasonTold } from '../log/sentences.ts';
import { fixed } from '../testing/fix-files.ts';

const gold = '[/Separation/Gold/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 0.2 0.8 0.1]/N 1>>]';
const file = (content: string, extra = '', catalog = ''): Uint8Array =>
  buildPdf({
    objects: {
      8: '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
      9: {
        dict: '/Type/XObject/Subtype/Image/Width 50/Height 50/ColorSpace/DeviceGray/BitsPerComponent 8',
        data: new Uint8Array(2500).fill(90),
      },
      10: '<</FT/Sig/T(s)/V<</Type/Sig/Filter/Adobe.PPKLite/Contents<00>/ByteRange[0 1 2 3]>>>>',
    },
    catalog,
    pages: [
      {
        content,
        mediaBox: [0, 0, 100, 100],
        extra,
        resources: `/Font<</F 8 0 R>>/XObject<</Im 9 0 R>>/ColorSpace<</S ${gold}>>/ExtGState<</Half<</ca 0.5>>>>`,
      },
    ],
  });
/** Content that draws a 50 × 50 pixel image `size` points wide and high. */
const image = (size: number): Uint8Array => file(`q ${size} 0 0 ${size} 10 10 cm /Im Do Q`);
const enlarged = { width: 200, height: 200, maxScaleUp: 200 };

interface Case {
  what: string;
  pdf: Uint8Array;
  key: FixKey;
  settings?: object;
  profile?: Record<string, unknown>;
  /** The step fails with this reason and writes no output. */
  failed?: { code: string; params: object };
  warned?: { code: string; params: object };
  /** A warning of the whole report, not of one action. */
  told?: { code: string; params: object };
}

const signed = file('0 0 0 1 k 1 1 9 9 re f', '', '/AcroForm<</SigFlags 3/Fields[10 0 R]>>');
const seenThrough = file('/S cs 1 scn 0 0 60 60 re f /Half gs 0 1 0 0 k 20 20 60 60 re f');

const cases: readonly Case[] = [
  {
    what: 'a font that is not embedded',
    pdf: file('BT /F 12 Tf 10 10 Td (a) Tj ET'),
    key: 'FontsOutline',
    failed: { code: 'fontNotEmbedded', params: { fonts: ['Courier'] } },
  },
  {
    what: 'a signature with `signatures: Refuse`',
    pdf: signed,
    key: 'SetPageBoxes',
    profile: { signatures: 'Refuse' },
    failed: { code: 'signature.present', params: {} },
  },
  {
    what: 'a signature made invalid',
    pdf: signed,
    key: 'SetPageBoxes',
    told: { code: 'signature.removed', params: { count: 1 } },
  },
  {
    what: 'spots converted by flattening',
    pdf: seenThrough,
    key: 'FlatteningTransparencies',
    settings: { preserveSpots: false, lineArtDpi: 150 },
    warned: { code: 'spotsLost', params: { page: 1, spots: ['Gold'] } },
  },
  {
    what: 'an image of too low resolution',
    pdf: image(50),
    key: 'ImageResolution',
    warned: { code: 'lowResolution', params: { page: 1, ppi: 72, limit: 150 } },
  },
  {
    what: 'an image whose resolution gets too low by enlarging',
    pdf: image(20),
    key: 'ResizePages',
    settings: enlarged,
    warned: { code: 'lowResolution', params: { page: 1, ppi: 90, limit: 150 } },
  },
];

test.each(cases)('$what', async ({ pdf, key, settings = {}, profile, failed, warned, told }) => {
  const { report, before } = await fixed(pdf, [{ key, settings, when: { is: 'Always' } }], profile);
  const [action] = report.actions;
  if (failed) {
    expect(action).toMatchObject({ outcome: 'Failed', reason: failed });
    expect([report.result, report.out, report.changes]).toEqual(['Error', null, []]);
    expect(existsSync(path.join(path.dirname(before), 'out.pdf'))).toBe(false);
  } else {
    expect(report.result).toBe('Warning');
    expect(report.out).not.toBeNull();
  }
  if (warned) expect(action?.warnings).toContainEqual(warned);
  if (told) expect(report.warnings).toContainEqual(told);
  const reason = failed ?? warned ?? told;
  for (const locale of locales) {
    const sentence = fixReasonTold(told ? '' : key, reason as never, locale);
    expect(sentence).toMatch(/[.。]$/);
    expect(sentence).not.toContain('{');
  }
});

test('enlarging warns only of images that become too coarse by it', async () => {
  const codesOf = async (pdf: Uint8Array, key: FixKey, settings: object) =>
    (await fixed(pdf, [{ key, settings, when: { is: 'Always' } }])).report.actions[0]?.warnings.map(({ code }) => code);
  expect(await codesOf(image(50), 'ResizePages', enlarged)).toEqual([]);
  expect(await codesOf(image(10), 'ImageResolution', {})).toEqual([]);
});
