/** All content stream operators (ISO 32000-1, annex A): their operands and their effect on the walk. */
import { packKeyword } from '../open/lexer.ts';
import { isArray, isDict, isName, isString, type PdfName, type PdfValue } from '../open/values.ts';
import { applyExtGState } from './ext-gstate.ts';
import { multiply } from './matrix.ts';
import { drawXObject, paintPath, paintShading, showType3Glyph, tileText } from './painting.ts';
import { closePath, curveTo, lineTo, moveTo, rectangle } from './path-builder.ts';
import { setColor, setColorSpace, setDeviceColor } from './set-color.ts';
import { itemsOf, type ShowItems, showText } from './text.ts';
import type { MarkedContent, Matrix } from './types.ts';
import { clipTo, eventBase, own, report, type Walk } from './walk.ts';

export interface Operator {
  readonly name: string;
  /** Number of operands; -1 for any number. */
  readonly arity: number;
  /** True when all operands are numbers. */
  readonly isNumeric: boolean;
  /** True when its name operand is the name of a resource. */
  readonly namesResource: boolean;
  /** `base` is the index of the first operand in `walk.values`. */
  readonly run: (walk: Walk, base: number) => void;
}

const num = (walk: Walk, index: number): number => walk.values[index] as number;

/** Limit of saved graphics states. */
const maxSaved = 100_000;

function show(walk: Walk, items: ShowItems): void {
  const areaUnder = showText(walk, items, showType3Glyph);
  if (areaUnder) tileText(walk, areaUnder);
}

function showString(walk: Walk, value: PdfValue | undefined): void {
  if (!walk.font) {
    report(walk, 'resource.missing', { category: 'Font', name: '' });
    return;
  }
  if (isString(value)) show(walk, [value.bytes]);
  else report(walk, 'operand.type', { operator: walk.op });
}

function setState(walk: Walk, change: Partial<Walk['state']>): void {
  Object.assign(own(walk), change);
}

function setClip(walk: Walk, rule: Walk['pendingClip']): void {
  walk.pendingClip = rule;
}

/** BX and EX can be nested. */
function setCompatibility(walk: Walk, step: number): void {
  walk.compatibility = Math.max(0, walk.compatibility + step);
}

function nextLine(walk: Walk, x: number, y: number): void {
  const m = walk.lineMatrix;
  walk.lineMatrix = [m[0], m[1], m[2], m[3], m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]];
  walk.textMatrix = walk.lineMatrix;
}

function setText(walk: Walk, change: Partial<Walk['state']['text']>): void {
  const state = own(walk);
  state.text = { ...state.text, ...change };
}

function endText(walk: Walk): void {
  if (!walk.isInText) report(walk, 'text.unmatched');
  walk.isInText = false;
  if (walk.textClip) clipTo(walk, walk.textClip, false);
  walk.textClip = null;
}

/** Properties of BDC and DP: a dictionary, or the name of one in the resources (ISO 32000-1, 14.6.2). */
function propertiesOf(walk: Walk, value: PdfValue | undefined): PdfValue {
  if (!isName(value)) return value ?? null;
  const list = walk.run.resources && walk.file.entry(walk.run.resources, 'Properties');
  const found = isDict(list) ? list.map.get(value.name) : undefined;
  if (found === undefined) report(walk, 'resource.missing', { category: 'Properties', name: value.name });
  return found ?? null;
}

function openMark(walk: Walk, tag: PdfValue | undefined, properties: PdfValue, isPoint: boolean): void {
  const dict = walk.file.resolve(properties);
  const mcid = isDict(dict) ? walk.file.entry(dict, 'MCID') : null;
  const mark: MarkedContent = {
    tag: isName(tag) ? tag.name : '',
    properties: isDict(dict) ? dict : null,
    mcid: typeof mcid === 'number' ? mcid : null,
    parent: walk.marks,
  };
  if (!isPoint) {
    walk.markStack.push({ marks: walk.marks, layers: walk.layers });
    walk.marks = mark;
    if (mark.tag === 'OC') walk.layers = walk.tools.optionalContent.enter(properties, walk.layers);
  }
  if (walk.listeners.mark.length > 0) {
    const event = { kind: 'mark' as const, ...eventBase(walk), mark, isPoint };
    for (const listen of walk.listeners.mark) listen(event);
  }
}

const table: Record<string, [arity: number, isNumeric: boolean, run: Operator['run']]> = {
  // Graphics state
  q: [
    0,
    true,
    (w) => {
      if (w.saved.length >= maxSaved) {
        report(w, 'save.unmatched', { count: maxSaved });
        return;
      }
      w.saved.push(w.state);
      w.isShared = true;
    },
  ],
  Q: [0, true, (w) => restoreState(w)],
  cm: [
    6,
    true,
    (w, b) => {
      const m: Matrix = [num(w, b), num(w, b + 1), num(w, b + 2), num(w, b + 3), num(w, b + 4), num(w, b + 5)];
      own(w).ctm = multiply(m, w.state.ctm);
    },
  ],
  w: [1, true, (w, b) => setState(w, { lineWidth: Math.abs(num(w, b)) })],
  J: [1, true, (w, b) => setState(w, { lineCap: num(w, b) })],
  j: [1, true, (w, b) => setState(w, { lineJoin: num(w, b) })],
  M: [1, true, (w, b) => setState(w, { miterLimit: num(w, b) })],
  d: [2, false, (w, b) => setDash(w, w.values[b], w.values[b + 1])],
  ri: [1, false, (w, b) => setState(w, { renderingIntent: nameOf(w.values[b]) || 'RelativeColorimetric' })],
  i: [1, true, (w, b) => setState(w, { flatness: num(w, b) })],
  gs: [
    1,
    false,
    (w, b) => {
      const list = w.run.resources && w.file.entry(w.run.resources, 'ExtGState');
      const dict = isDict(list) ? w.file.entry(list, nameOf(w.values[b])) : null;
      if (isDict(dict)) applyExtGState(w, dict);
      else report(w, 'resource.missing', { category: 'ExtGState', name: nameOf(w.values[b]) });
    },
  ],
  // Paths
  m: [2, true, (w, b) => moveTo(w.path, w.state.ctm, num(w, b), num(w, b + 1))],
  l: [2, true, (w, b) => lineTo(w.path, w.state.ctm, num(w, b), num(w, b + 1))],
  c: [
    6,
    true,
    (w, b) =>
      curveTo(
        w.path,
        w.state.ctm,
        num(w, b),
        num(w, b + 1),
        num(w, b + 2),
        num(w, b + 3),
        num(w, b + 4),
        num(w, b + 5),
      ),
  ],
  v: [
    4,
    true,
    (w, b) => curveTo(w.path, w.state.ctm, w.path.x, w.path.y, num(w, b), num(w, b + 1), num(w, b + 2), num(w, b + 3)),
  ],
  y: [
    4,
    true,
    (w, b) =>
      curveTo(
        w.path,
        w.state.ctm,
        num(w, b),
        num(w, b + 1),
        num(w, b + 2),
        num(w, b + 3),
        num(w, b + 2),
        num(w, b + 3),
      ),
  ],
  h: [0, true, (w) => closePath(w.path)],
  re: [4, true, (w, b) => rectangle(w.path, w.state.ctm, num(w, b), num(w, b + 1), num(w, b + 2), num(w, b + 3))],
  S: [0, true, (w) => paintPath(w, 'stroke', false)],
  s: [
    0,
    true,
    (w) => {
      closePath(w.path);
      paintPath(w, 'stroke', false);
    },
  ],
  f: [0, true, (w) => paintPath(w, 'fill', false)],
  F: [0, true, (w) => paintPath(w, 'fill', false)],
  'f*': [0, true, (w) => paintPath(w, 'fill', true)],
  B: [0, true, (w) => paintPath(w, 'both', false)],
  'B*': [0, true, (w) => paintPath(w, 'both', true)],
  b: [
    0,
    true,
    (w) => {
      closePath(w.path);
      paintPath(w, 'both', false);
    },
  ],
  'b*': [
    0,
    true,
    (w) => {
      closePath(w.path);
      paintPath(w, 'both', true);
    },
  ],
  n: [0, true, (w) => paintPath(w, 'none', false)],
  W: [0, true, (w) => setClip(w, 'nonzero')],
  'W*': [0, true, (w) => setClip(w, 'evenodd')],
  // Text
  BT: [
    0,
    true,
    (w) => {
      if (w.isInText) report(w, 'text.nested');
      w.isInText = true;
      w.textMatrix = [1, 0, 0, 1, 0, 0];
      w.lineMatrix = w.textMatrix;
    },
  ],
  ET: [0, true, endText],
  Tc: [1, true, (w, b) => setText(w, { charSpacing: num(w, b) })],
  Tw: [1, true, (w, b) => setText(w, { wordSpacing: num(w, b) })],
  Tz: [1, true, (w, b) => setText(w, { scaling: num(w, b) / 100 })],
  TL: [1, true, (w, b) => setText(w, { leading: num(w, b) })],
  Tf: [2, false, (w, b) => setFont(w, w.values[b], w.values[b + 1])],
  Tr: [1, true, (w, b) => setText(w, { mode: num(w, b) & 7 })],
  Ts: [1, true, (w, b) => setText(w, { rise: num(w, b) })],
  Td: [2, true, (w, b) => nextLine(w, num(w, b), num(w, b + 1))],
  TD: [
    2,
    true,
    (w, b) => {
      setText(w, { leading: -num(w, b + 1) });
      nextLine(w, num(w, b), num(w, b + 1));
    },
  ],
  Tm: [
    6,
    true,
    (w, b) => {
      w.textMatrix = [num(w, b), num(w, b + 1), num(w, b + 2), num(w, b + 3), num(w, b + 4), num(w, b + 5)];
      w.lineMatrix = w.textMatrix;
    },
  ],
  'T*': [0, true, (w) => nextLine(w, 0, -w.state.text.leading)],
  Tj: [1, false, (w, b) => showString(w, w.values[b])],
  TJ: [
    1,
    false,
    (w, b) => {
      const list = w.values[b];
      if (!w.font) {
        report(w, 'resource.missing', { category: 'Font', name: '' });
        return;
      }
      if (isArray(list)) show(w, itemsOf(list));
      else showString(w, list);
    },
  ],
  "'": [
    1,
    false,
    (w, b) => {
      nextLine(w, 0, -w.state.text.leading);
      showString(w, w.values[b]);
    },
  ],
  '"': [
    3,
    false,
    (w, b) => {
      const [word, char] = [w.values[b], w.values[b + 1]];
      if (typeof word === 'number' && typeof char === 'number') setText(w, { wordSpacing: word, charSpacing: char });
      nextLine(w, 0, -w.state.text.leading);
      showString(w, w.values[b + 2]);
    },
  ],
  // Type 3 glyph descriptions: after d1, colour operators are ignored (ISO 32000-1, 9.6.5)
  d0: [2, true, () => undefined],
  d1: [
    6,
    true,
    (w) => {
      if (w.run.kind === 'type3') w.isColorLocked = true;
    },
  ],
  // Colour
  g: [1, true, (w, b) => setDeviceColor(w, 'fill', 'DeviceGray', [num(w, b)])],
  G: [1, true, (w, b) => setDeviceColor(w, 'stroke', 'DeviceGray', [num(w, b)])],
  rg: [3, true, (w, b) => setDeviceColor(w, 'fill', 'DeviceRGB', [num(w, b), num(w, b + 1), num(w, b + 2)])],
  RG: [3, true, (w, b) => setDeviceColor(w, 'stroke', 'DeviceRGB', [num(w, b), num(w, b + 1), num(w, b + 2)])],
  k: [
    4,
    true,
    (w, b) => setDeviceColor(w, 'fill', 'DeviceCMYK', [num(w, b), num(w, b + 1), num(w, b + 2), num(w, b + 3)]),
  ],
  K: [
    4,
    true,
    (w, b) => setDeviceColor(w, 'stroke', 'DeviceCMYK', [num(w, b), num(w, b + 1), num(w, b + 2), num(w, b + 3)]),
  ],
  cs: [1, false, (w, b) => setColorSpace(w, 'fill', w.values[b])],
  CS: [1, false, (w, b) => setColorSpace(w, 'stroke', w.values[b])],
  sc: [-1, false, (w) => setColor(w, 'fill')],
  scn: [-1, false, (w) => setColor(w, 'fill')],
  SC: [-1, false, (w) => setColor(w, 'stroke')],
  SCN: [-1, false, (w) => setColor(w, 'stroke')],
  sh: [1, false, (w, b) => paintShading(w, nameOf(w.values[b]))],
  // Objects and marks
  Do: [1, false, (w, b) => drawXObject(w, nameOf(w.values[b]))],
  BMC: [1, false, (w, b) => openMark(w, w.values[b], null, false)],
  BDC: [2, false, (w, b) => openMark(w, w.values[b], propertiesOf(w, w.values[b + 1]), false)],
  EMC: [
    0,
    true,
    (w) => {
      const before = w.markStack.length > w.markBase ? w.markStack.pop() : undefined;
      if (!before) {
        report(w, 'mark.unmatched');
        return;
      }
      w.marks = before.marks;
      w.layers = before.layers;
    },
  ],
  MP: [1, false, (w, b) => openMark(w, w.values[b], null, true)],
  DP: [2, false, (w, b) => openMark(w, w.values[b], propertiesOf(w, w.values[b + 1]), true)],
  BX: [0, true, (w) => setCompatibility(w, 1)],
  EX: [0, true, (w) => setCompatibility(w, -1)],
};

const nameOf = (value: PdfValue | undefined): string => (isName(value) ? (value as PdfName).name : '');

function restoreState(walk: Walk): void {
  if (walk.saved.length <= walk.savedBase) {
    report(walk, 'restore.unmatched');
    if (!walk.initial || walk.run.kind !== 'page') return;
    walk.state = walk.initial;
    walk.initial = null;
  } else walk.state = walk.saved.pop() ?? walk.state;
  walk.isShared = true;
  const font = walk.state.text.font;
  if (font !== walk.font?.facts) walk.font = (font && walk.loaded.get(font)) ?? null;
}

function setDash(walk: Walk, array: PdfValue | undefined, phase: PdfValue | undefined): void {
  if (!isArray(array) || typeof phase !== 'number') {
    report(walk, 'operand.type', { operator: 'd' });
    return;
  }
  const state = own(walk);
  state.dash = array.filter((entry) => typeof entry === 'number');
  state.dashPhase = phase;
}

function setFont(walk: Walk, name: PdfValue | undefined, size: PdfValue | undefined): void {
  const list = walk.run.resources && walk.file.entry(walk.run.resources, 'Font');
  const font = isDict(list) ? walk.tools.fonts.read(list.map.get(nameOf(name))) : null;
  if (!font) report(walk, 'resource.missing', { category: 'Font', name: nameOf(name) });
  else walk.loaded.set(font.facts, font);
  walk.font = font;
  setText(walk, { font: font?.facts ?? null, size: typeof size === 'number' ? size : walk.state.text.size });
}

const namingResources = new Set(['Do', 'sh', 'gs', 'Tf', 'cs', 'CS', 'scn', 'SCN']);

/** Operators by packed keyword (see `packKeyword`). */
export const operators: ReadonlyMap<number, Operator> = new Map(
  Object.entries(table).map(([name, [arity, isNumeric, run]]) => [
    packKeyword(name),
    { name, arity, isNumeric, namesResource: namingResources.has(name), run },
  ]),
);
