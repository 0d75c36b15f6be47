import { imposeLayouts, unitSymbols, units } from '@pdf2press/contract';
import { isTree, plain, type Respelling, respell } from '@pdf2press/settings';

/*
 * Other names under which a profile accepts a setting: short names of groups, and names that other imposition programs
 * and job tickets use. Profiles are stored with the names of the schema.
 */

const respelling: Respelling = {
  names: {
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
  },
  words: { type: Object.fromEntries(imposeLayouts.map((layout) => [layout, layout])) },
  // Groups of settings that may be given as a single value.
  phrases: {
    output: (kind) => ({ output: { kind } }),
    alignment: (point) => ({ alignment: { point } }),
    backOffset: (x) => ({ backOffset: { x } }),
    bleed: (value) => ({ bleed: /\d/.test(value) ? { policy: 'Fixed', amount: value } : { policy: value } }),
    pageScaling: (value) => ({
      pageScaling: /\d/.test(value)
        ? { mode: 'Proportional', percent: value.replace(/\s*%\s*$/, '') }
        : { mode: value },
    }),
    creep: (value) => ({ creep: /^(true|false)$/.test(value) ? { enabled: value } : { paperThickness: value } }),
    lip: (size) => ({ lip: { size } }),
    die: (source) => ({ die: { source } }),
    stations: (source) => ({ stations: { source } }),
  },
};

/** Layouts that are always printed on both sides. */
const twoSided = new Set(['SaddleStitch', 'Leaflet', 'PerfectBound']);

/** Replaces other names and short forms in a profile by the names of the schema. Unknown settings stay as they are. */
export function readAliases(stored: unknown): unknown {
  if (!isTree(stored)) return stored;
  // The keys of `variables` are paths of settings.
  const { variables, ...given } = stored;
  const { duplex, ...settings } = respell(given, respelling);
  // Bound layouts have no setting `duplex`: a value that means two-sided is dropped, any other is refused as unknown.
  const isImplied = twoSided.has(String(settings.type)) && /^(true|duplex|auto)$/i.test(String(duplex));
  return {
    ...settings,
    ...(isTree(settings.sheet) && { sheet: sheetInUnit(settings.sheet) }),
    ...(duplex !== undefined && !isImplied && { duplex }),
    ...(variables !== undefined && { variables }),
  };
}

/** Converts a sheet with a separate `unit` to lengths with their unit. */
function sheetInUnit({ unit, ...sheet }: Record<string, unknown>): Record<string, unknown> {
  if (typeof unit !== 'string') return unit === undefined ? sheet : { ...sheet, unit };
  const isNumber = (value: unknown) => /^\s*[\d.,]+\s*$/.test(String(value));
  const withUnit = (value: unknown) => (isNumber(value) ? `${value}${unitSymbol(unit)}` : value);
  return Object.fromEntries(
    Object.entries(sheet).map(([key, value]) => [key, key === 'width' || key === 'height' ? withUnit(value) : value]),
  );
}

/** The symbol of a unit name: `mm` for `Millimeters`. */
function unitSymbol(name: string): string {
  const unit = units.find((known) => plain(known) === plain(name));
  return unit === undefined ? name : unitSymbols[unit];
}
