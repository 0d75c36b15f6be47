import { imposeLayouts, unitSymbols, units } from '@pdf2press/contract';
import { plain } from '@pdf2press/settings';

/*
 * Other names under which a profile accepts a setting: short names of groups, and names that other imposition programs
 * and job tickets use. Profiles are stored with the names of the schema.
 */

/** Dotted paths of settings: other name → name in the schema. */
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

/** Groups of settings that may be given as a single value, and what that value sets. */
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

/** Layouts that are always printed on both sides. */
const twoSided = new Set(['SaddleStitch', 'PerfectBound']);

/** Replaces other names and short forms in a profile by the names of the schema. Unknown settings stay as they are. */
export function readAliases(stored: unknown): unknown {
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
  // Bound layouts have no setting `duplex`: a value that means two-sided is dropped, any other is refused as unknown.
  const isSaidAnyway = ([key, value]: readonly [string, unknown]) =>
    key === 'duplex' && twoSided.has(String(type)) && /^(true|duplex|auto)$/i.test(String(value));
  return {
    ...Object.fromEntries(read.filter((entry) => !isSaidAnyway(entry))),
    ...(type === undefined ? {} : { type }),
  };
}

/** Converts a sheet with a separate `unit` to lengths with their unit. */
function sheetInUnit({ unit, ...sheet }: Settings): Settings {
  if (typeof unit !== 'string') return unit === undefined ? sheet : { ...sheet, unit };
  const isNumber = (value: unknown) => /^\s*[\d.,]+\s*$/.test(String(value));
  const said = (value: unknown) => (isNumber(value) ? `${value}${unitSymbol(unit)}` : value);
  return Object.fromEntries(
    Object.entries(sheet).map(([key, value]) => [key, key === 'width' || key === 'height' ? said(value) : value]),
  );
}

/** The symbol of a unit name: `mm` for `Millimeters`. */
function unitSymbol(name: string): string {
  const unit = units.find((known) => plain(known) === plain(name));
  return unit === undefined ? name : unitSymbols[unit];
}

/** Moves a value to another path, unless that path already has one. */
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
