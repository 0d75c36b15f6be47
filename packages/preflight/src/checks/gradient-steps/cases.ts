import { doc, withResource } from '../../quality/content.ts';
import type { Doc } from '../../quality/doc.ts';
import type { RuleCase } from '../../quality/rule-case.ts';

interface Ramp {
  length: number;
  from?: string;
  to?: string;
  space?: string;
  scale?: number;
}

const exponential = (from: string, to: string): string =>
  `<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [${from}] /C1 [${to}] >>`;
const axial = ({ length, from = '0 0 0 0', to = '1 0 0 0', space = '/DeviceCMYK' }: Ramp): string =>
  `<< /ShadingType 2 /ColorSpace ${space} /Coords [0 0 ${length} 0] /Function ${exponential(from, to)} >>`;

/** A gradient that is painted by itself. */
const painted = (ramp: Ramp): Doc =>
  doc(`q 40 40 300 300 re W n ${ramp.scale ?? 1} 0 0 1 40 40 cm /Ramp sh Q`, {
    resources: `${withResource('ColorSpace', '')} /Shading << /Ramp 485 0 R >>`,
    objects: { 485: axial(ramp) },
  });

/** The same as the colour of an area. */
const filled = (shading: string, matrix = '[1 0 0 1 40 40]'): Doc =>
  doc('/Pattern cs /Ramp scn 40 40 300 300 re f', {
    resources: `${withResource('ColorSpace', '')} /Pattern << /Ramp 486 0 R >>`,
    objects: { 486: `<< /PatternType 2 /Matrix ${matrix} /Shading ${shading} >>` },
  });

const radial = (radius: number): string =>
  `<< /ShadingType 3 /ColorSpace /DeviceGray /Coords [150 150 0 150 150 ${radius}] /Function ${exponential('0', '0.2')} >>`;
/** To the colour and back again: twice the change over the same length. */
const thereAndBack = `<< /FunctionType 3 /Domain [0 1] /Bounds [0.5] /Encode [0 1 1 0] /Functions [${exponential('0', '0.3')} ${exponential('0', '0.3')}] >>`;
const stitched = (length: number, ramp: string): string =>
  `<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 ${length} 0] /Function ${ramp} >>`;

/** 255 × 0.25 steps of 2.16 pt are 137.7 pt. */
const quarter = { to: '0.25 0 0 0' };

export const cases: readonly RuleCase<'GradientSteps'>[] = [
  {
    kind: 'object',
    rule: 'bands',
    breaks: painted({ length: 139, ...quarter }),
    passes: painted({ length: 137, ...quarter }),
  },
  {
    kind: 'object',
    rule: 'bands',
    breaks: painted({ length: 70, scale: 2, ...quarter }),
    passes: painted({ length: 68, scale: 2, ...quarter }),
  },
  // 551 pt for the whole way from no ink to full.
  { kind: 'object', rule: 'bands', breaks: painted({ length: 553 }), passes: painted({ length: 549 }) },
  // Of several inks the one that changes most decides.
  {
    kind: 'object',
    rule: 'bands',
    breaks: painted({ length: 139, to: '0.25 0.1 0 0' }),
    passes: painted({ length: 139, to: '0.1 0.3 0 0' }),
  },
  // So faint that no band is seen.
  {
    kind: 'object',
    rule: 'bands',
    breaks: painted({ length: 300, to: '0.06 0 0 0' }),
    passes: painted({ length: 300, to: '0.04 0 0 0' }),
  },
  // The matrix of a pattern holds for the page, whatever the content does before.
  { kind: 'page', rule: 'bands', breaks: filled(radial(112)), passes: filled(radial(109)) },
  {
    kind: 'page',
    rule: 'bands',
    breaks: filled(radial(56), '[2 0 0 2 40 40]'),
    passes: filled(radial(112), '[0.5 0 0 0.5 40 40]'),
  },
  {
    kind: 'page',
    rule: 'bands',
    breaks: filled(stitched(200, exponential('0', '0.3'))),
    passes: filled(stitched(200, thereAndBack)),
  },
  {
    kind: 'object',
    rule: 'bands',
    settings: { step: { failAbove: 4, warnAbove: null } },
    breaks: painted({ length: 258, ...quarter }),
    passes: painted({ length: 253, ...quarter }),
  },
  // Seen from three metres the bands are as narrow as a third of them.
  {
    kind: 'object',
    rule: 'bands',
    profile: { scaleFactor: 10, viewingDistanceM: 3 },
    breaks: painted({ length: 43, ...quarter }),
    passes: painted({ length: 40, ...quarter }),
  },
];
