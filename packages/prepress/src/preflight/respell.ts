/**
 * Checks of a profile as people and older versions write them, in the words of today: a parameter beside `key` or within
 * `settings`, nested or by its path (`text.minK`), a rule's severity under the rule's name, lengths with their unit.
 * There is one place for each value in what comes out; the schema then refuses what is still unknown.
 */
import type { Unit } from '@pdf2press/contract';
import { type CheckKey, checkContracts } from '../checks/contracts.ts';
import type { CheckContract } from '../checks/define-check.ts';
import { readSettings } from '../fix/read-settings.ts';
import { isTree, unitOfSetting } from './setting-unit.ts';

type Tree = Record<string, unknown>;

/** The specification's table spells one check in both ways. */
const keys: Readonly<Record<string, CheckKey>> = { PageDimensions: 'PageDimentions' };

/** Words that a rule takes in place of a severity. */
const severityWords: Readonly<Record<string, string>> = { Allow: 'Off', Disallow: 'Fail' };
const isSeverity = (value: unknown): value is string => ['Off', 'Info', 'Warn', 'Fail'].includes(String(value));

const contractOf = (key: string): CheckContract | undefined =>
  Object.hasOwn(checkContracts, key) ? checkContracts[key as CheckKey] : undefined;

/** `{ 'text.minK': 90 }` → `{ text: { minK: 90 } }`, under the names of today. */
function nested(flat: Tree, renamed: Readonly<Record<string, string>>): Tree {
  const tree: Tree = {};
  const put = (path: string, value: unknown): void => {
    const name = renamed[path] ?? path;
    const steps = name.split('.');
    const last = steps.pop() ?? name;
    let node = tree;
    for (const step of steps) {
      if (!isTree(node[step])) node[step] = {};
      node = node[step] as Tree;
    }
    node[last] = isTree(value) && isTree(node[last]) ? { ...(node[last] as Tree), ...value } : value;
  };
  const walk = (node: Tree, path: string): void => {
    for (const [name, value] of Object.entries(node)) {
      const at = path === '' ? name : `${path}.${name}`;
      const isGroup = isTree(value) && !Array.isArray(value);
      if (isGroup && Object.keys(renamed).some((old) => old.startsWith(`${at}.`))) walk(value, at);
      else put(at, value);
    }
  };
  walk(flat, '');
  return tree;
}

/** What of the parameters is how bad a rule is: a severity under a rule's name that is no value of a setting. */
function severitiesAmong(contract: CheckContract, parameters: Tree): { settings: Tree; severities: Tree } {
  const settings: Tree = {};
  const severities: Tree = {};
  for (const [name, value] of Object.entries(parameters)) {
    const rules = contract.ruleGroups[name] ?? (Object.hasOwn(contract.rules, name) ? [name] : []);
    const isSetting = unitOfSetting(contract.settings, [name]) !== undefined;
    const severity = isSetting || typeof value !== 'string' ? value : (severityWords[value] ?? value);
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
 * One check in the words of today.
 * @param common names of the fields every check shares; what else stands beside `key` is a parameter
 * @param unit what a length typed without a unit is in
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
    nested({ ...Object.fromEntries(beside), ...inSettings }, renamed),
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

/** Settings without a version may be of any: upgrades change nothing but what they know. */
function upgraded(contract: CheckContract, settings: Tree, version: unknown): Tree {
  let upgradedSettings = settings;
  for (let at = typeof version === 'number' ? version : 1; at < contract.version; at += 1)
    upgradedSettings = contract.upgrades[at]?.(upgradedSettings) ?? upgradedSettings;
  return upgradedSettings;
}

/** `Check.path` of a bound variable, in the words of today. */
export function respellTarget(target: string): string {
  const [name = '', ...path] = target.split('.');
  const key = keys[name] ?? name;
  const setting = path.join('.');
  return `${key}.${contractOf(key)?.renamed[setting] ?? setting}`;
}
