import { isDict, isName, isRef, type PdfValue } from '../open/values.ts';
import { initialValues } from './color-spaces.ts';
import { identity, multiply } from './matrix.ts';
import type { DeviceFamily, Matrix, Paint, Pattern, Place } from './types.ts';
import { own, placeOf, report, type Walk } from './walk.ts';

const patternPlaces = new WeakMap<Paint, Place>();

/** The operator that selected the pattern of a paint; the rewriter changes the resource name there. */
export const patternPlace = (paint: Paint): Place | undefined => patternPlaces.get(paint);

type Side = 'fill' | 'stroke';

/** The operators g, rg, k, G, RG and K. Values are clipped to 0 … 1. */
export function setDeviceColor(walk: Walk, side: Side, family: DeviceFamily, values: readonly number[]): void {
  if (walk.isColorLocked) return;
  const space = walk.tools.spaces.device(family, walk.run.resources);
  own(walk)[side] = { space, values: values.map(unit), pattern: null };
}

const unit = (value: number): number => Math.min(Math.max(value, 0), 1);

/** The operators cs and CS. */
export function setColorSpace(walk: Walk, side: Side, value: PdfValue | undefined): void {
  if (walk.isColorLocked) return;
  const space = walk.tools.spaces.read(value, walk.run.resources);
  if (space.family === 'Unknown')
    report(walk, 'resource.missing', { category: 'ColorSpace', name: isName(value) ? value.name : '' });
  own(walk)[side] = { space, values: initialValues(space), pattern: null };
}

/** sc, scn, SC and SCN: one number per component, and the name of a pattern. */
export function setColor(walk: Walk, side: Side): void {
  if (walk.isColorLocked) return;
  const { space } = walk.state[side];
  const numbers: number[] = [];
  for (let i = 0; i < walk.operandCount; i += 1) {
    const value = walk.values[i];
    if (typeof value === 'number') numbers.push(value);
  }
  const last = walk.values[walk.operandCount - 1];
  if (isName(last)) {
    setPattern(walk, side, last.name, numbers);
    return;
  }
  if (space.family === 'Pattern') {
    report(walk, 'operand.type', { operator: walk.op });
    return;
  }
  if (numbers.length < space.components) {
    report(walk, 'operand.missing', { operator: walk.op });
    return;
  }
  own(walk)[side] = { space, values: numbers.slice(-space.components), pattern: null };
}

function setPattern(walk: Walk, side: Side, name: string, numbers: readonly number[]): void {
  const pattern = readPattern(walk, name);
  if (!pattern) report(walk, 'resource.missing', { category: 'Pattern', name });
  const { space } = walk.state[side];
  const paint: Paint = { space, values: numbers, pattern };
  if (walk.listeners.operator.length > 0) patternPlaces.set(paint, placeOf(walk));
  own(walk)[side] = paint;
}

function readPattern(walk: Walk, name: string): Pattern | null {
  const { file, tools, run } = walk;
  const list = run.resources && file.entry(run.resources, 'Pattern');
  const value = isDict(list) ? list.map.get(name) : undefined;
  const key = isRef(value) ? `${value.num} ${run.ctm.join(' ')}` : '';
  const known = key === '' ? undefined : tools.patterns.get(key);
  if (known !== undefined) return known;
  const dict = file.resolve(value);
  const pattern = isDict(dict) ? makePattern(walk, dict, isRef(value) ? value.num : 0, name) : null;
  if (key !== '') tools.patterns.set(key, pattern);
  return pattern;
}

/**
 * A pattern matrix is relative to the initial space of the content stream that uses the pattern, not to the CTM (ISO
 * 32000-1, 8.7.2).
 */
function makePattern(walk: Walk, dict: Pattern['dict'], object: number, name: string): Pattern {
  const { file, tools, run } = walk;
  const matrix = multiply(readMatrix(walk, file.entry(dict, 'Matrix')), run.ctm);
  if (file.entry(dict, 'PatternType') !== 2) {
    return { type: 'tiling', object, name, dict, isColored: file.entry(dict, 'PaintType') !== 2, matrix };
  }
  const shading = file.entry(dict, 'Shading');
  const shadingDict = isDict(shading) ? shading : dict;
  const reference = dict.map.get('Shading');
  return {
    type: 'shading',
    object,
    name,
    dict,
    matrix,
    shading: {
      type: Number(file.entry(shadingDict, 'ShadingType')) || 0,
      object: isRef(reference) ? reference.num : 0,
      dict: shadingDict,
      space: tools.spaces.read(shadingDict.map.get('ColorSpace') ?? shadingDict.map.get('CS'), run.resources),
    },
  };
}

/** A /Matrix entry; the identity matrix when it is missing or invalid. */
export function readMatrix(walk: Pick<Walk, 'file'>, value: PdfValue): Matrix {
  const list = Array.isArray(value) ? value.map((entry) => walk.file.resolve(entry)) : [];
  if (list.length < 6 || !list.every((entry) => typeof entry === 'number')) return identity;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = list as number[];
  return [a, b, c, d, e, f];
}
