/** Describes the settings of an action for people who write profiles by hand: names, defaults and allowed values. */
import { fromPoints, type Locale, messageOf, type Unit, unitSymbols } from '@pdf2press/contract';
import { type AppliesWhen, type Condition, conditionsOf, isTree, jsonOf } from '@pdf2press/settings';
import { type FixKey, fixContracts } from '../fixes/contracts.ts';
import { fixActionLabel } from '../log/sentences.ts';
import { allowedIn } from './setting-fault.ts';

export interface FixParameter {
  /** Path with dots: `amount.left`. */
  name: string;
  /** Label in the form. */
  label: string;
  /** Default as written in a profile; empty for none. */
  initial: string;
  /** `0 – 100 mm` or the allowed words; empty for free text. */
  allowed: string;
  /** Conditions under which the setting is used, with paths from the root; absent when always. */
  appliesWhen?: readonly Condition[];
}

export interface FixDescription {
  key: FixKey;
  label: string;
  help: string;
  parameters: FixParameter[];
}

/**
 * Describes an action.
 * @param locale language of labels and help
 * @param unit unit of lengths
 */
export function describeFix(key: FixKey, locale: Locale, unit: Unit): FixDescription {
  const { settings, messages } = fixContracts[key];
  const say = (code: string): string | undefined => messageOf(messages, locale, code);
  const labelOf = (path: readonly string[]): string =>
    path.flatMap((_, at) => say(`settings.${path.slice(0, at + 1).join('.')}.label`) ?? []).join(' › ');
  const leaves = (
    node: unknown,
    value: unknown,
    path: readonly string[],
    outer?: readonly Condition[],
  ): FixParameter[] => {
    if (!isTree(node)) return [];
    const own = node.appliesWhen as AppliesWhen | undefined;
    const appliesWhen = own ? conditionsOf(own).map((condition) => within(condition, path.slice(0, -1))) : outer;
    if (isTree(node.properties))
      return Object.entries(node.properties).flatMap(([name, inner]) =>
        leaves(inner, isTree(value) ? value[name] : undefined, [...path, name], appliesWhen),
      );
    const initial = written(value, node.unit, unit);
    const allowed = allowedIn(node, unit);
    return [
      {
        name: path.join('.'),
        label: labelOf(path),
        initial,
        allowed,
        ...(appliesWhen && { appliesWhen }),
      },
    ];
  };
  const parameters = leaves(jsonOf(settings), settings.parse({}), []);
  return {
    key,
    label: fixActionLabel(key, locale),
    help: say('help') ?? '',
    parameters,
  };
}

/** Makes the setting names of a condition relative to the root. */
const within = (condition: Condition, path: readonly string[]): Condition =>
  Object.fromEntries(Object.entries(condition).map(([name, values]) => [[...path, name].join('.'), values]));

const suffixes: Readonly<Record<string, string>> = {
  points: 'pt',
  percent: '%',
  ppi: 'ppi',
  dpi: 'dpi',
};

/** A default value as written in a profile. */
function written(value: unknown, kind: unknown, unit: Unit): string {
  if (Array.isArray(value)) return value.map((entry) => written(entry, kind, unit)).join(',');
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  if (typeof value !== 'number') return value === undefined ? '' : String(value);
  if (kind === 'length') return `${Math.round(fromPoints(value, unit) * 1000) / 1000}${unitSymbols[unit]}`;
  return `${value}${suffixes[String(kind)] ?? ''}`;
}
