import type { ImposeLayout, LayoutPage } from '@pdf2press/contract';
import { describe, expect, test } from 'vitest';
import { planOf, readImposeProfile } from './profile.ts';

/* Every setting is read under each of its names, has its default and range, and changes the plan. */

const mm = 72 / 25.4;
const page: LayoutPage = {
  media: { x: 0, y: 0, width: 96 * mm, height: 66 * mm },
  trim: { x: 3 * mm, y: 3 * mm, width: 90 * mm, height: 60 * mm },
  bleed: { x: 0, y: 0, width: 96 * mm, height: 66 * mm },
  hasBleedBox: true,
  hasTrimBox: true,
};
const pages = new Array<LayoutPage>(10).fill(page);

function read(profile: Record<string, unknown>) {
  const found = readImposeProfile(profile);
  if (!found.ok) throw new Error(JSON.stringify(found.problems));
  return found.profile;
}
const plan = (profile: Record<string, unknown>) => {
  const found = readImposeProfile(profile);
  return JSON.stringify(found.ok ? planOf({ pages }, found.profile) : found);
};
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
/** Lengths to a thousandth of a millimetre. */
const rounded = (value: unknown): unknown => (typeof value === 'number' ? Number((value / mm).toFixed(3)) : value);

/**
 * Layout, given name and value; path and value in the parsed profile (lengths in mm); other settings that are needed.
 */
type Row = readonly [ImposeLayout, string, unknown, string, unknown, Record<string, unknown>?];

const length = (value: number) => ({ length: value });
const rows: readonly Row[] = [
  ['AcrossDown', 'output', 'Image', 'output.kind', 'Image'],
  ['AcrossDown', 'output.format', 'JPG', 'output.format', 'JPEG', { 'output.kind': 'Image' }],
  ['AcrossDown', 'sheet.width', '300mm', 'sheet.width', length(300)],
  ['AcrossDown', 'sheet.height', '12in', 'sheet.height', length(304.8)],
  ['AcrossDown', 'sheet.name', 'A3', 'sheet.width', length(297)],
  ['AcrossDown', 'sheet.orientation', 'Landscape', 'sheet.orientation', 'Landscape'],
  ['AcrossDown', 'sheet', 'Auto', 'sheet.width', 'Auto', { rows: 2, columns: 2 }],
  ['AcrossDown', 'margins.T', '40mm', 'margins.top', length(40)],
  ['AcrossDown', 'margins', '20mm', 'margins.left', length(20)],
  ['AcrossDown', 'gripper', '40mm', 'gripper.size', length(40)],
  ['AcrossDown', 'gripper.edge', 'left', 'gripper.edge', 'Left', { 'gripper.size': '30mm' }],
  ['AcrossDown', 'rows', 2, 'rows', 2],
  ['AcrossDown', 'columns', '2', 'columns', 2],
  ['AcrossDown', 'gutterH', '9mm', 'gutterH.0', length(9)],
  ['AcrossDown', 'gutterV', '0,4mm,0', 'gutterV.1', length(4)],
  ['AcrossDown', 'gutterH', '2×bleed', 'gutterH', 'TwiceBleed', {}],
  ['AcrossDown', 'cellBox', 'Media', 'cellBox', 'Media'],
  ['AcrossDown', 'bleed', 'None', 'bleed.policy', 'None'],
  ['AcrossDown', 'bleed', '1mm', 'bleed.amount', length(1)],
  ['AcrossDown', 'bleed.policy', 'Pull', 'bleed.policy', 'Pull', { gutterH: '0mm' }],
  ['AcrossDown', 'pageScaling', 'Fit', 'pageScaling.mode', 'Fit', { rows: 2, columns: 2 }],
  ['AcrossDown', 'pageScaling', 'Fill', 'pageScaling.mode', 'Fill', { rows: 2, columns: 2 }],
  ['AcrossDown', 'pageScaling', '80%', 'pageScaling.percent', 80],
  [
    'AcrossDown',
    'pageScaling',
    'Stretch',
    'pageScaling.mode',
    'Stretch',
    { 'cell.width': '91mm', 'cell.height': '60mm' },
  ],
  [
    'AcrossDown',
    'pageScaling.maxDistortion',
    '40',
    'pageScaling.maxDistortionPercent',
    40,
    { 'pageScaling.mode': 'Stretch', 'cell.width': '100mm', 'cell.height': '60mm' },
  ],
  ['AcrossDown', 'rotation', '180', 'rotation', 180],
  ['AcrossDown', 'rowsOrientation', 'Alternate 180', 'rowsOrientation', 'Alternate180'],
  ['AcrossDown', 'colsOrientation', 'HeadToHead', 'columnsOrientation', 'HeadToHead'],
  ['AcrossDown', 'rowsOrientation', 'foot-to-foot', 'rowsOrientation', 'FootToFoot'],
  [
    'AcrossDown',
    'mixedRotation',
    'true',
    'mixedRotation',
    true,
    { sheet: '130x160mm', margins: 0, gutterH: 0, gutterV: 0, marks: 'none' },
  ],
  ['AcrossDown', 'alignment', 'top-left', 'alignment.point', 'TopLeft'],
  ['AcrossDown', 'alignment', 'Center', 'alignment.point', 'Centre', {}],
  [
    'AcrossDown',
    'alignment.rowByRow',
    true,
    'alignment.rowByRow',
    true,
    { sheet: '130x160mm', margins: 0, gutterH: 0, gutterV: 0, mixedRotation: true, alignment: 'Left', marks: 'none' },
  ],
  ['AcrossDown', 'allSheetsIndependent', true, 'alignment.allSheetsIndependent', true, { pages: '1-2' }],
  ['AcrossDown', 'duplex', 'Duplex', 'duplex', 'Duplex'],
  ['StepNRepeat', 'workStyle', 'work-and-turn', 'workStyle', 'WorkAndTurn', { duplex: true, rows: 2, columns: 2 }],
  ['StepNRepeat', 'workStyle', 'WorkAndTumble', 'workStyle', 'WorkAndTumble', { duplex: true, rows: 2, columns: 2 }],
  ['StepNRepeat', 'workStyle', 'Perfecting', 'workStyle', 'Perfecting', { duplex: true, rows: 2, columns: 2 }],
  ['AcrossDown', 'backAlignment.x', '-1mm', 'backOffset.x', length(-1), { duplex: true }],
  ['AcrossDown', 'backAlignment.y', '2mm', 'backOffset.y', length(2), { duplex: true }],
  ['AcrossDown', 'pageOrderSource', '1,1,2', 'pages', '1,1,2'],
  ['SaddleStitch', 'padding', 'BlankBeforeLast', 'padding', 'BlankBeforeLast'],
  ['SaddleStitch', 'padding', 'Repeat', 'padding', 'Repeat'],
  ['SaddleStitch', 'padding', 'FailIfIncomplete', 'padding', 'FailIfIncomplete'],
  ['AcrossDown', 'reverseSheets', true, 'reverseSheets', true, { rows: 1, columns: 1 }],
  ['AcrossDown', 'faceDown', true, 'faceDown', true, { duplex: true }],
  ['StepNRepeat', 'copies', 1000, 'copies', 1000],
  ['StepNRepeat', 'quantity', 1000, 'copies', 1000],
  ['StepNRepeat', 'overs', 10, 'oversPercent', 10, { copies: 1000 }],
  ['AcrossDown', 'marks', 'crop, registration', 'marks.registration.enabled', true],
  ['AcrossDown', 'slug', 'Job {{sheet.no}}', 'marks.slug.text', 'Job {{sheet.no}}'],
  ['AcrossDown', 'slug', 'off', 'marks.slug.enabled', false],
  ['AcrossDown', 'startCorner', 'BR', 'startCorner', 'BottomRight'],
  ['AcrossDown', 'sequentialSides', true, 'sequentialSides', true, { duplex: true }],
  ['StepNRepeat', 'fill', '1×6, 2×2', 'fill', '1×6, 2×2'],
  [
    'StepNRepeat',
    'wastePercent',
    100,
    'wastePercent',
    100,
    { gang: 'Gang', quantities: '1x400,2x4,3x1,4x1,5x1,6x1,7x1,8x1,9x1,10x1', duplex: false },
  ],
  [
    'StepNRepeat',
    'gang',
    'Gang',
    'gang',
    'Gang',
    { quantities: '1x4,2x4,3x1,4x1,5x1,6x1,7x1,8x1,9x1,10x1', duplex: false },
  ],
  ['CutAndStack', 'stackOrder', 'column', 'stackOrder', 'DeepDownRight', { rows: 2, columns: 2 }],
  ['CutAndStack', 'stackDepth', 1, 'stackDepth', 1, { rows: 2, columns: 2, duplex: false }],
  ['CutAndStack', 'balance', true, 'balance', true, { rows: 2, columns: 2, duplex: false }],
  ['SaddleStitch', 'signatureSize', '8', 'signatureSize', 8],
  ['SaddleStitch', 'folding', 'Parallel', 'folding', 'Parallel', { signatureSize: 8 }],
  ['PerfectBound', 'folding', 'Zigzag', 'folding', 'Zigzag', { signatureSize: 12 }],
  ['SaddleStitch', 'workStyle', 'WorkAndTurn', 'workStyle', 'WorkAndTurn', { sheet: 'B1' }],
  ['PerfectBound', 'comeAndGo', 'true', 'comeAndGo', true, { signatureSize: 4, sheet: 'B1' }],
  ['SaddleStitch', 'bindingEdge', 'RTL', 'bindingEdge', 'Right'],
  ['SaddleStitch', 'bindingEdge', 'Top', 'bindingEdge', 'Top'],
  ['SaddleStitch', 'coverSeparate', 'true', 'coverSeparate', true],
  ['SaddleStitch', 'trimHead', '9mm', 'trim.head', length(9), { signatureSize: 8 }],
  ['SaddleStitch', 'trimFoot', '9mm', 'trim.foot', length(9), { signatureSize: 32, sheet: 'SRA1' }],
  ['SaddleStitch', 'trimFace', '9mm', 'trim.face', length(9), { signatureSize: 16, sheet: 'SRA1' }],
  ['SaddleStitch', 'lip', '8mm', 'lip.size', length(8)],
  ['SaddleStitch', 'creep', '0.1mm', 'creep.paperThickness', length(0.1)],
  ['SaddleStitch', 'creep.gsm', 135, 'creep.gsm', 135],
  ['SaddleStitch', 'creep.bulk', 1.2, 'creep.bulk', 1.2, { 'creep.gsm': 135 }],
  ['SaddleStitch', 'creep.factor', 1.3, 'creep.factor', 1.3, { 'creep.paperThickness': '0.1mm' }],
  [
    'SaddleStitch',
    'creep.direction',
    'OutsideOut',
    'creep.direction',
    'OutsideOut',
    { 'creep.paperThickness': '0.1mm' },
  ],
  [
    'SaddleStitch',
    'creep.method',
    'ScaleHorizontally',
    'creep.method',
    'ScaleHorizontally',
    { 'creep.paperThickness': '0.1mm' },
  ],
  [
    'SaddleStitch',
    'creep.scope',
    'PerSignature',
    'creep.scope',
    'PerSignature',
    { 'creep.paperThickness': '0.1mm', signatureSize: 8, sheet: 'SRA2' },
  ],
  [
    'PerfectBound',
    'creep.scope',
    'PerSignature',
    'creep.scope',
    'PerSignature',
    { 'creep.paperThickness': '0.1mm', signatureSize: 8, sheetsPerSection: 2, sheet: 'SRA2' },
  ],
  ['SaddleStitch', 'creep.totalOverride', '1mm', 'creep.total', length(1)],
  ['SaddleStitch', 'creep', false, 'creep.enabled', false, { 'creep.paperThickness': '0.1mm' }],
  ['SaddleStitch', 'bottling.outermost', 0.1, 'bottling.outermost', 0.1],
  ['PerfectBound', 'bottling.innermost', '-0.3', 'bottling.innermost', -0.3, { signatureSize: 8, sheet: 'SRA2' }],
  [
    'SaddleStitch',
    'bottling.axis',
    'face foot',
    'bottling.axis',
    'FaceFoot',
    { 'bottling.innermost': 0.2, signatureSize: 8, sheet: 'SRA2' },
  ],
  ['DieCut', 'dieSource', 'Artwork', 'die.source', 'Artwork'],
  ['DieCut', 'dieLineNames', 'Die*, Cut', 'die.lineNames.1', 'Cut', { dieSource: 'Artwork' }],
  ['DieCut', 'nesting', 'Brick half-drop', 'stations.nesting', 'BrickHalfDrop'],
  ['DieCut', 'nesting', 'InterlockRotate180', 'stations.nesting', 'InterlockRotate180'],
  ['DieCut', 'nesting', 'TrueShape', 'stations.nesting', 'TrueShape'],
  ['DieCut', 'stationGap', '8mm', 'stations.gap', length(8)],
  ['DieCut', 'bleedBeyondDie', '1mm', 'stations.bleedBeyondDie', length(1)],
  ['DieCut', 'placeBy', 'TrimCentre', 'die.placeBy', 'TrimCentre', {}],
  ['DieCut', 'clipTo', 'Cell', 'stations.clipTo', 'Cell', {}],
  ['DieCut', 'snapTolerance', '1mm', 'die.snapTolerance', length(1), {}],
  ['DieCut', 'dieOnOutput', 'None', 'die.onOutput', 'None'],
  ['DieCut', 'grainDirection', 'AlongHeight', 'stations.grain', 'AlongHeight'],
  ['Leaflet', 'fold', 'Z', 'fold', 'ZigzagFold'],
  ['Leaflet', 'fold', 'half-fold', 'fold', 'HalfFold'],
  ['Leaflet', 'panels', '4', 'panels', 4],
  ['Leaflet', 'shorter', '1.5mm', 'shorter', length(1.5)],
  ['Leaflet', 'pageOrder', 'AsRead', 'pageOrder', 'AsRead'],
  ['Leaflet', 'rows', 1, 'rows', 1],
  ['Leaflet', 'workStyle', 'Perfecting', 'workStyle', 'Perfecting'],
  ['PerfectBound', 'signatureSize', 8, 'signatureSize', 8],
  ['GangRun', 'jobs', 'Cards: 1-2 x 500; 3-4 × 20', 'jobs.0.quantity', 500],
  ['GangRun', 'jobs', 'Cards: 1-2 x 500; 3-4 × 20', 'jobs.0.name', 'Cards'],
  ['GangRun', 'jobs', [{ pages: '3-4', quantity: 20 }], 'jobs.0.pages', '3-4'],
  ['GangRun', 'duplex', false, 'duplex', 'Simplex'],
  ['GangRun', 'workStyle', 'Perfecting', 'workStyle', 'Perfecting'],
  ['GangRun', 'gutter', '4mm', 'gutter', length(4)],
  [
    'GangRun',
    'mayTurn',
    'false',
    'mayTurn',
    false,
    { sheet: { width: '75mm', height: '600mm', orientation: 'AsGiven' } },
  ],
  ['GangRun', 'furtherSheets', true, 'furtherSheets', true, { sheet: 'A5' }],
  ['GangRun', 'wastePercent', 99, 'wastePercent', 99],
  ['GangRun', 'copies', 1000, 'copies', 1000],
  ['GangRun', 'overs', 10, 'oversPercent', 10, { copies: 1000 }],
  ['GangRun', 'alignment', 'top-left', 'alignment.point', 'TopLeft'],
];

/** These change the plan only with other files or pages, which other tests cover. */
const sameHere = new Set([
  '2×bleed',
  'Center',
  'TrimCentre',
  'Cell',
  'Image',
  'JPG',
  'Die*, Cut',
  'Auto',
  'snapTolerance',
]);

/** Sets a value at a dotted path. */
function setting(profile: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const [key = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...profile, [key]: value };
  const inner = typeof profile[key] === 'object' && profile[key] !== null ? profile[key] : {};
  return { ...profile, [key]: setting(inner as Record<string, unknown>, rest.join('.'), value) };
}

describe('every setting is read and changes the plan', () => {
  for (const [type, name, value, path, kept, besides = {}] of rows) {
    test(`${type}: ${name} = ${value}`, () => {
      const fresh: Record<string, unknown> = { type };
      const base = Object.entries(besides).reduce((profile, [key, one]) => setting(profile, key, one), fresh);
      const profile = setting(base, name, value);
      const found = at(read(profile), path);
      if (typeof kept === 'object' && kept !== null && 'length' in kept) expect(rounded(found)).toBe(kept.length);
      else expect(found).toBe(kept);
      if (sameHere.has(String(value)) || sameHere.has(name)) return;
      expect(plan(profile) === plan(base)).toBe(false);
    });
  }
});

test.each([
  ['sheet.width', length(320)],
  ['sheet.height', length(450)],
  ['sheet.name', 'SRA3'],
  ['sheet.orientation', 'Best'],
  ['margins.top', length(5)],
  ['margins.bottom', length(5)],
  ['margins.left', length(5)],
  ['margins.right', length(5)],
  ['gripper.edge', 'Bottom'],
  ['rows', 'Auto'],
  ['columns', 'Auto'],
  ['gutterH', 'TwiceBleed'],
  ['gutterV', 'TwiceBleed'],
  ['cellBox', 'Trim'],
  ['bleed.policy', 'FromPage'],
  ['pageScaling.mode', 'None'],
  ['pageScaling.maxDistortionPercent', 2],
  ['rotation', 'Auto'],
  ['rowsOrientation', 'Same'],
  ['columnsOrientation', 'Same'],
  ['mixedRotation', false],
  ['alignment.point', 'Centre'],
  ['workStyle', 'Sheetwise'],
  ['backOffset.x', length(0)],
  ['pages', 'all'],
  ['padding', 'BlankEnd'],
  ['reverseSheets', false],
  ['faceDown', false],
  ['copies', 1],
  ['oversPercent', 0],
  ['output.kind', 'PDF'],
  ['marks.crop.enabled', true],
  ['marks.crop.offset', length(3)],
  ['marks.crop.length', length(5)],
  ['marks.crop.width', length(0.0882)],
  ['marks.slug.enabled', true],
  ['marks.registration.enabled', false],
  ['marks.color', 'All'],
])('the default of %s is %s', (path, value) => {
  const found = at(read({ type: 'AcrossDown' }), path);
  if (typeof value === 'object') expect(rounded(found)).toBeCloseTo(value.length, 3);
  else expect(found).toBe(value);
});

test.each([
  ['AcrossDown', 'sheet.width', '9mm'],
  ['AcrossDown', 'sheet.width', '10.1m'],
  ['AcrossDown', 'rows', 0],
  ['AcrossDown', 'columns', 1.5],
  ['AcrossDown', 'gutterH', '-1mm'],
  ['AcrossDown', 'margins.top', 'wide'],
  ['AcrossDown', 'rotation', 45],
  ['AcrossDown', 'alignment.point', 'Somewhere'],
  ['AcrossDown', 'copies', 0],
  ['AcrossDown', 'oversPercent', -1],
  ['AcrossDown', 'output.dpi', 5],
  ['SaddleStitch', 'bottling.outermost', 2.1],
  ['PerfectBound', 'bottling.innermost', -2.1],
  ['SaddleStitch', 'creep.factor', 0.4],
  ['SaddleStitch', 'creep.factor', 2.1],
  ['SaddleStitch', 'bindingEdge', 'Bottom'],
  ['SaddleStitch', 'duplex', false],
  ['DieCut', 'die.source', 'Nowhere'],
])('%s: %s = %s is refused with the setting it belongs to', (type, name, value) => {
  const found = readImposeProfile(setting({ type }, name, value));
  expect(found).toMatchObject({ ok: false, problems: [{ field: name }] });
});
