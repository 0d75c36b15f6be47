/**
 * Brings checks of a profile into the form of the schema. Accepted are settings beside `key` or in `settings`, nested or by
 * path (`text.minK`), severities under the name of the rule, texts with units, and names of older versions. What is still
 * unknown is refused by the schema.
 */
import type { Unit } from '@pdf2press/contract';
import { isTree, readSettings, respell, unitOfSetting } from '@pdf2press/settings';
import { type CheckKey, checkContracts } from '../checks/contracts.ts';
import type { CheckContract } from '../checks/define-check.ts';

type Tree = Record<string, unknown>;

/** The stored key of this check has a spelling mistake that profiles depend on; the correct spelling is accepted too. */
const keys: Readonly<Record<string, CheckKey>> = { PageDimensions: 'PageDimentions' };

/** Accepted in place of a severity. */
const severityWords: Readonly<Record<string, string>> = { Allow: 'Off', Disallow: 'Fail' };
const isSeverity = (value: unknown): value is string => ['Off', 'Info', 'Warn', 'Fail'].includes(String(value));

const contractOf = (key: string): CheckContract | undefined =>
  Object.hasOwn(checkContracts, key) ? checkContracts[key as CheckKey] : undefined;

/** Separates severities, which stand under the name of a rule, from settings. */
function severitiesAmong(contract: CheckContract, parameters: Tree): { settings: Tree; severities: Tree } {
  const settings: Tree = {};
  const severities: Tree = {};
  for (const [name, value] of Object.entries(parameters)) {
    const group = Object.hasOwn(contract.ruleGroups, name) ? contract.ruleGroups[name] : undefined;
    const rules = group ?? (Object.hasOwn(contract.rules, name) ? [name] : []);
    const isSetting = unitOfSetting(contract.settings, [name]) !== undefined;
    const severity =
      isSetting || typeof value !== 'string'
        ? value
        : Object.hasOwn(severityWords, value)
          ? severityWords[value]
          : value;
    if (rules.length > 0 && isSeverity(severity)) for (const rule of rules) severities[rule] = severity;
    else settings[name] = value;
  }
  return { settings, severities };
}

const byNewName = (values: unknown, renamed: Readonly<Record<string, string>>): unknown =>
  isTree(values)
    ? Object.fromEntries(Object.entries(values).map(([name, each]) => [renamed[name] ?? name, each]))
    : values;

/**
 * One check in the form of the schema.
 * @param common names of the fields that every check has; other fields beside `key` are settings or severities
 * @param unit unit of lengths given as text without a unit
 */
export function respellCheck(raw: unknown, common: ReadonlySet<string>, unit: Unit): unknown {
  if (!isTree(raw)) return raw;
  const { key: given, checkKey, ...fields } = raw;
  const name = String(given ?? checkKey);
  const key = keys[name] ?? name;
  const contract = contractOf(key);
  if (!contract) return raw;
  const { renamed } = contract;
  const beside = Object.entries(fields).filter(([field]) => !common.has(field));
  const inSettings = isTree(fields.settings) ? fields.settings : {};
  const { severities, settings } = severitiesAmong(
    contract,
    respell({ ...Object.fromEntries(beside), ...inSettings }, { names: renamed }),
  );
  const own = Object.fromEntries(Object.entries(fields).filter(([field]) => common.has(field)));
  return {
    ...own,
    key,
    version: contract.version,
    settings: readSettings(contract.settings, upgraded(contract, settings, fields.version), unit),
    severities: { ...severities, ...(byNewName(fields.severities, renamed) as Tree | undefined) },
    ...(isTree(fields.standardRules) && { standardRules: byNewName(fields.standardRules, renamed) }),
  };
}

/** Applies the upgrades from the stored version on. Settings without a version get all of them. */
function upgraded(contract: CheckContract, settings: Tree, version: unknown): Tree {
  let upgradedSettings = settings;
  for (let at = typeof version === 'number' ? version : 1; at < contract.version; at += 1)
    upgradedSettings = contract.upgrades[at]?.(upgradedSettings) ?? upgradedSettings;
  return upgradedSettings;
}

/** `Check.setting` of a bound variable, with old names replaced. */
export function respellTarget(target: string): string {
  const [name = '', ...path] = target.split('.');
  const key = keys[name] ?? name;
  const setting = path.join('.');
  return `${key}.${contractOf(key)?.renamed[setting] ?? setting}`;
}
