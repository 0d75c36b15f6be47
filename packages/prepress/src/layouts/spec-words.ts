import { imposeLayouts, unitSymbols, units } from '@pdf2press/contract';
import { plain } from './word.ts';

/*
 * The names that spec/impose §2 and §4 use, where a profile keeps the setting under another one: a group of its own, or
 * the word of the trade. Both are read; what is stored and shown is the profile's own.
 */

const elsewhere: Readonly<Record<string, string>> = {
  'margins.T': 'margins.top',
  'margins.B': 'margins.bottom',
  'margins.L': 'margins.left',
  'margins.R': 'margins.right',
  colsOrientation: 'columnsOrientation',
  pageOrderSource: 'pages',
  quantity: 'copies',
  overs: 'oversPercent',
  backAlignment: 'backOffset',
  slug: 'marks.slug',
  maxDistortion: 'pageScaling.maxDistortionPercent',
  'pageScaling.maxDistortion': 'pageScaling.maxDistortionPercent',
  'creep.totalOverride': 'creep.total',
  rowByRow: 'alignment.rowByRow',
  allSheetsIndependent: 'alignment.allSheetsIndependent',
  trimHead: 'trim.head',
  trimFoot: 'trim.foot',
  trimFace: 'trim.face',
  dpi: 'output.dpi',
  dieSource: 'die.source',
  dieLineNames: 'die.lineNames',
  snapTolerance: 'die.snapTolerance',
  placeBy: 'die.placeBy',
  dieOnOutput: 'die.onOutput',
  stationGap: 'stations.gap',
  bleedBeyondDie: 'stations.bleedBeyondDie',
  clipTo: 'stations.clipTo',
  nesting: 'stations.nesting',
  grainDirection: 'stations.grain',
};

/** Groups that one word or length stands for: what it says of them. */
const short: Readonly<Record<string, (value: string) => Record<string, unknown>>> = {
  output: (kind) => ({ kind }),
  alignment: (point) => ({ point }),
  backOffset: (x) => ({ x }),
  bleed: (value) => (/\d/.test(value) ? { policy: 'Fixed', amount: value } : { policy: value }),
  pageScaling: (value) =>
    /\d/.test(value) ? { mode: 'Proportional', percent: value.replace(/\s*%\s*$/, '') } : { mode: value },
  creep: (value) => (/^(true|false)$/.test(value) ? { enabled: value } : { paperThickness: value }),
  lip: (size) => ({ size }),
  die: (source) => ({ source }),
  stations: (source) => ({ source }),
};

type Settings = Record<string, unknown>;
const isSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isSimple = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Layouts that are printed on both sides by what they are. */
const twoSided = new Set(['SaddleStitch', 'PerfectBound']);

/** A profile in the specification's words, in the profile's own. What it does not know it leaves as it is. */
export function readSpecWords(stored: unknown): unknown {
  if (!isSettings(stored)) return stored;
  const type = imposeLayouts.find((layout) => plain(layout) === plain(String(stored.type))) ?? stored.type;
  const moved = Object.entries(elsewhere).reduce(
    (settings, [from, to]) => move(settings, from.split('.'), to.split('.')),
    stored,
  );
  const read = Object.entries(moved).map(([key, value]) => {
    const say = isSimple(value) ? short[key] : undefined;
    if (key === 'sheet' && isSettings(value)) return [key, sheetInUnit(value)] as const;
    return [key, say ? say(String(value)) : value] as const;
  });
  // Bound work has two sides by what it is: to say so is no setting, to deny it is refused as one.
  const isSaidAnyway = ([key, value]: readonly [string, unknown]) =>
    key === 'duplex' && twoSided.has(String(type)) && /^(true|duplex|auto)$/i.test(String(value));
  return {
    ...Object.fromEntries(read.filter((entry) => !isSaidAnyway(entry))),
    ...(type === undefined ? {} : { type }),
  };
}

/** A sheet whose unit stands beside its numbers, with lengths that say it themselves. */
function sheetInUnit({ unit, ...sheet }: Settings): Settings {
  if (typeof unit !== 'string') return unit === undefined ? sheet : { ...sheet, unit };
  const isNumber = (value: unknown) => /^\s*[\d.,]+\s*$/.test(String(value));
  const said = (value: unknown) => (isNumber(value) ? `${value}${unitSymbol(unit)}` : value);
  return Object.fromEntries(
    Object.entries(sheet).map(([key, value]) => [key, key === 'width' || key === 'height' ? said(value) : value]),
  );
}

/** `Millimeters` is `mm`. */
function unitSymbol(name: string): string {
  const unit = units.find((known) => plain(known) === plain(name));
  return unit === undefined ? name : unitSymbols[unit];
}

/** The settings with a value at another place, unless something stands there. */
function move(settings: Settings, from: readonly string[], to: readonly string[]): Settings {
  const value = from.reduce<unknown>((at, key) => (isSettings(at) ? at[key] : undefined), settings);
  return value === undefined ? settings : put(without(settings, from), to, value);
}

function without(settings: Settings, [key = '', ...rest]: readonly string[]): Settings {
  const { [key]: inner, ...others } = settings;
  return rest.length > 0 && isSettings(inner) ? { ...others, [key]: without(inner, rest) } : others;
}

function put(settings: Settings, [key = '', ...rest]: readonly string[], value: unknown): Settings {
  const { [key]: inner } = settings;
  if (rest.length === 0) return inner === undefined ? { ...settings, [key]: value } : settings;
  return inner === undefined || isSettings(inner) ? { ...settings, [key]: put(inner ?? {}, rest, value) } : settings;
}
