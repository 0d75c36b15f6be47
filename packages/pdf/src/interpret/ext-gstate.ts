import { isArray, isDict, isName, isRef, type PdfDict, type PdfValue } from '../open/values.ts';
import { runSoftMask } from './painting.ts';
import type { Mutable } from './state.ts';
import type { GraphicsState, SoftMask } from './types.ts';
import { own, report, type Walk } from './walk.ts';

type Setter = (walk: Walk, state: Mutable<GraphicsState>, value: PdfValue, raw: PdfValue) => void;

const number =
  (
    key:
      | 'lineWidth'
      | 'lineCap'
      | 'lineJoin'
      | 'miterLimit'
      | 'flatness'
      | 'fillAlpha'
      | 'strokeAlpha'
      | 'overprintMode',
  ): Setter =>
  (_walk, state, value) => {
    if (typeof value === 'number') state[key] = value;
  };
const flag =
  (key: 'strokeAdjust' | 'alphaIsShape' | 'fillOverprint'): Setter =>
  (_walk, state, value) => {
    if (typeof value === 'boolean') state[key] = value;
  };
/** Device-dependent parameters are kept as written; they do not change what is painted. */
const device =
  (key: string): Setter =>
  (_walk, state, value) => {
    state.device = new Map([...(state.device ?? []), [key, value]]);
  };

const blendModes = new Set(
  'Normal Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue Saturation Color Luminosity'.split(
    ' ',
  ),
);

const setters: Readonly<Record<string, Setter>> = {
  LW: number('lineWidth'),
  LC: number('lineCap'),
  LJ: number('lineJoin'),
  ML: number('miterLimit'),
  FL: number('flatness'),
  ca: number('fillAlpha'),
  CA: number('strokeAlpha'),
  OPM: number('overprintMode'),
  SA: flag('strokeAdjust'),
  AIS: flag('alphaIsShape'),
  op: flag('fillOverprint'),
  TK: (_walk, state, value) => {
    if (typeof value === 'boolean') state.text = { ...state.text, knockout: value };
  },
  D: (walk, state, value) => {
    if (!isArray(value)) return;
    const dash = walk.file.resolve(value[0]);
    const phase = walk.file.resolve(value[1]);
    if (isArray(dash))
      state.dash = dash.map((entry) => walk.file.resolve(entry)).filter((entry) => typeof entry === 'number');
    if (typeof phase === 'number') state.dashPhase = phase;
  },
  RI: (_walk, state, value) => {
    if (isName(value)) state.renderingIntent = value.name;
  },
  BM: (walk, state, value) => {
    const names = (isArray(value) ? value.map((entry) => walk.file.resolve(entry)) : [value]).flatMap((entry) =>
      isName(entry) ? [entry.name] : [],
    );
    state.blendMode = names.find((name) => blendModes.has(name)) ?? 'Normal';
  },
  Font: (walk, state, value) => {
    if (!isArray(value)) return;
    const font = walk.tools.fonts.read(value[0]);
    const size = walk.file.resolve(value[1]);
    if (!font) {
      report(walk, 'resource.missing', { category: 'Font', name: '' });
      return;
    }
    walk.loaded.set(font.facts, font);
    walk.font = font;
    state.text = { ...state.text, font: font.facts, size: typeof size === 'number' ? size : state.text.size };
  },
  TR: device('TR'),
  TR2: device('TR2'),
  HT: device('HT'),
  HTP: device('HTP'),
  BG: device('BG'),
  BG2: device('BG2'),
  UCR: device('UCR'),
  UCR2: device('UCR2'),
};

/** Applies an ExtGState dictionary (ISO 32000-1, 8.4.5). OP without op sets both overprint parameters. */
export function applyExtGState(walk: Walk, dict: PdfDict): void {
  const state = own(walk);
  const overprint = walk.file.entry(dict, 'OP');
  if (typeof overprint === 'boolean') {
    state.strokeOverprint = overprint;
    if (!dict.map.has('op')) state.fillOverprint = overprint;
  }
  for (const [key, raw] of dict.map) setters[key]?.(walk, state, walk.file.resolve(raw), raw);
  if (dict.map.has('SMask')) setSoftMask(walk, dict);
}

function setSoftMask(walk: Walk, dict: PdfDict): void {
  const value = walk.file.entry(dict, 'SMask');
  if (!isDict(value)) {
    own(walk).softMask = null;
    return;
  }
  const group = value.map.get('G');
  const mask: SoftMask = {
    subtype: isName(walk.file.entry(value, 'S'), 'Alpha') ? 'Alpha' : 'Luminosity',
    group: isRef(group) ? group.num : 0,
    dict: value,
    ctm: walk.state.ctm,
  };
  own(walk).softMask = mask;
  runSoftMask(walk, mask);
}
