import { type CheckKey, checkContracts, type PreflightProfile } from '@pdf2press/preflight/contracts';

/** Values that differ from the preset, by path (`ImageResolution.settings.colour.failBelow`), with the preset's value. */
export type Differences = ReadonlyMap<string, unknown>;

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields of the whole profile that are compared; name and display settings are not. */
const wholeFields = ['boxPolicy', 'pageRange', 'considerLayers', 'scaleFactor', 'viewingDistanceM'] as const;
const checkFields = [
  'severities',
  'severity',
  'pages',
  'objects',
  'maxFindings',
  'onCannotEvaluate',
  'message',
  'operatorMessage',
  'standardRules',
] as const;

function compare(found: Map<string, unknown>, path: string, value: unknown, preset: unknown): void {
  if (isTree(value) || isTree(preset)) {
    const [one, other] = [isTree(value) ? value : {}, isTree(preset) ? preset : {}];
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
      compare(found, `${path}.${key}`, one[key], other[key]);
  } else if (JSON.stringify(value ?? null) !== JSON.stringify(preset ?? null)) found.set(path, preset);
}

interface Check extends Tree {
  key: CheckKey;
  enabled?: boolean;
  settings?: Tree;
}
const isKnown = (check: unknown): check is Check => isTree(check) && Object.hasOwn(checkContracts, String(check.key));
const isOn = (check: Check | undefined): boolean => check !== undefined && check.enabled !== false;

/** A check that is not in the preset is compared with its defaults. */
const untouched = (key: CheckKey): Tree => ({ key, settings: checkContracts[key].settings.parse({}), severities: {} });

/** Removes severities that equal the default of the rule. */
function ownSeverities(check: Tree, key: CheckKey): Tree {
  const rules = checkContracts[key].rules as Record<string, string>;
  const given = Object.entries(isTree(check.severities) ? check.severities : {});
  return Object.fromEntries(given.filter(([rule, value]) => value !== undefined && value !== rules[rule]));
}

/** Differences between a profile and a preset; of a disabled check only the switch is compared. */
export function differencesFrom(preset: PreflightProfile, settings: Tree): Differences {
  const found = new Map<string, unknown>();
  for (const field of wholeFields) compare(found, field, settings[field], preset[field]);
  const checks = (Array.isArray(settings.checks) ? settings.checks : []).filter(isKnown);
  const theirs = preset.checks.filter(isKnown);
  for (const key of new Set([...checks, ...theirs].map((check) => check.key))) {
    const check = checks.find((one) => one.key === key);
    const other = theirs.find((one) => one.key === key);
    if (isOn(check) !== isOn(other)) found.set(`${key}.enabled`, isOn(other));
    if (!check || !isOn(check)) continue;
    const base = other ?? untouched(key);
    compare(found, `${key}.settings`, check.settings, base.settings);
    for (const field of checkFields) {
      // A missing value has its default.
      if (field === 'severities')
        compare(found, `${key}.severities`, ownSeverities(check, key), ownSeverities(base, key));
      else compare(found, `${key}.${field}`, check[field] ?? defaults[field], base[field] ?? defaults[field]);
    }
  }
  return found;
}
const defaults = {
  severity: null,
  pages: null,
  objects: null,
  maxFindings: 200,
  onCannotEvaluate: 'Fail',
  message: {},
  operatorMessage: {},
  standardRules: {},
} as const;

/** Number of values of a check that differ. */
export const differencesIn = (differences: Differences, key: string): number =>
  [...differences.keys()].filter((path) => path.startsWith(`${key}.`)).length;
