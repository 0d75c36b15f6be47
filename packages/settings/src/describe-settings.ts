/** Describes the settings of a kind for people who write them by hand: type, unit, default, choices and JSON shape. */
import { fromPoints, type Locale, type MessageFiles, messageOf, type Unit, unitSymbols } from '@pdf2press/contract';
import type { z } from 'zod';
import { type AppliesWhen, type Condition, conditionsOf } from './applies-when.ts';
import { isTree, jsonOf } from './setting-unit.ts';

export interface SettingDescription {
  /** Path with dots: `amount.left`. */
  name: string;
  /** Label in the form. */
  label: string;
  /** What a value is: `length`, `percent`, `word`, `list of text`; several ways to write it are joined by `or`. */
  type: string;
  /** Default as written in a profile; empty for none. */
  initial: string;
  /** `0 – 100 mm` or the allowed words; empty for free text. */
  allowed: string;
  /** Form of a value that is more than a word, a number or a list of them, as JSON with types in place of values. */
  shape?: string;
  /** Conditions under which the setting is used, with paths from the root; absent when always. */
  appliesWhen?: readonly Condition[];
}

interface Reading {
  /** Value of every setting by default. */
  initial: unknown;
  /** Unit of lengths. */
  unit: Unit;
  labelOf: (path: readonly string[]) => string;
}

/** The labels of settings from the messages of their kind, those of the groups that they are in before their own. */
export const labelsIn =
  (messages: MessageFiles, locale: Locale) =>
  (path: readonly string[]): string =>
    path
      .flatMap((_, at) => messageOf(messages, locale, `settings.${path.slice(0, at + 1).join('.')}.label`) ?? [])
      .join(' › ');

/** The settings of a schema in their order; those of a group by their paths. */
export function describeSettings(schema: z.ZodType, { initial, unit, labelOf }: Reading): SettingDescription[] {
  const leaves = (
    node: unknown,
    value: unknown,
    path: readonly string[],
    outer?: readonly Condition[],
  ): SettingDescription[] => {
    if (!isTree(node)) return [];
    const own = node.appliesWhen as AppliesWhen | undefined;
    const appliesWhen = own ? conditionsOf(own).map((condition) => within(condition, path.slice(0, -1))) : outer;
    if (isTree(node.properties))
      return Object.entries(node.properties).flatMap(([name, inner]) =>
        leaves(inner, isTree(value) ? value[name] : undefined, [...path, name], appliesWhen),
      );
    return [
      {
        name: path.join('.'),
        label: labelOf(path),
        type: typeIn(node),
        initial: written(value, unitIn(node), unit),
        allowed: allowedIn(node, unit),
        ...(isComplex(node) && { shape: shapeIn(node) }),
        ...(appliesWhen && { appliesWhen }),
      },
    ];
  };
  return leaves(jsonOf(schema), initial, []);
}

/** Makes the setting names of a condition relative to the root. */
const within = (condition: Condition, path: readonly string[]): Condition =>
  Object.fromEntries(Object.entries(condition).map(([name, values]) => [[...path, name].join('.'), values]));

const suffixes: Readonly<Record<string, string>> = { points: 'pt', percent: '%', ppi: 'ppi', dpi: 'dpi' };

/** A default value as written in a profile. */
function written(value: unknown, kind: unknown, unit: Unit): string {
  if (Array.isArray(value)) return value.map((entry) => written(entry, kind, unit)).join(',');
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  if (typeof value !== 'number') return value === undefined ? '' : String(value);
  if (kind === 'length') return `${Math.round(fromPoints(value, unit) * 1000) / 1000}${unitSymbols[unit]}`;
  return `${value}${suffixes[String(kind)] ?? ''}`;
}

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => isTree(value) && !Array.isArray(value);

/** A length that may be typed with its unit: one value, although its schema has two ways to write it. */
const isTypedLength = ({ kind }: Node): boolean => kind === 'length';

/** The ways in which a value may be written. */
export function branchesOf(node: Node): Node[] {
  const branches = Array.isArray(node.anyOf) ? node.anyOf : Array.isArray(node.oneOf) ? node.oneOf : null;
  if (!branches || isTypedLength(node)) return [node];
  return branches.filter(isNode).map((branch) => ({ unit: node.unit, ...branch }));
}

/** The unit of a value, of one of its ways, or of the entries of a list. */
function unitIn(node: Node): unknown {
  if (node.unit !== undefined) return node.unit;
  const inner = [...branchesOf(node).filter((branch) => branch !== node), ...(isNode(node.items) ? [node.items] : [])];
  return inner.map(unitIn).find((unit) => unit !== undefined);
}

/** Allowed values as text: `None, Trim, Bleed`, `0 – 100 mm`, `true, false`, or the names of a group. */
export function allowedIn(node: Node, unit: Unit): string {
  return branchesOf(node)
    .map((branch) => allowedInOne(branch, unit))
    .filter(Boolean)
    .join(', ');
}

function allowedInOne(node: Node, unit: Unit): string {
  if (isTypedLength(node)) return rangeIn(node.min, node.max, node.unit, unit);
  if (Array.isArray(node.enum)) return node.enum.join(', ');
  if (node.const !== undefined) return String(node.const);
  if (isNode(node.properties)) return Object.keys(node.properties).join(', ');
  if (isNode(node.items)) return allowedIn(node.items, unit);
  if (node.type === 'boolean') return 'true, false';
  if (node.type === 'null') return 'null';
  if (node.type !== 'number' && node.type !== 'integer') return '';
  return rangeIn(node.minimum, node.maximum, node.unit, unit);
}

function rangeIn(min: unknown, max: unknown, kind: unknown, unit: Unit): string {
  const bound = (value: unknown): string => {
    if (typeof value !== 'number') return '';
    return String(kind === 'length' ? Math.round(fromPoints(value, unit) * 100) / 100 : value);
  };
  const symbol = { length: ` ${unitSymbols[unit]}`, points: ' pt', percent: ' %' }[String(kind)] ?? '';
  return `${bound(min)} – ${bound(max)}${symbol}`.trim();
}

const typeNames: Readonly<Record<string, string>> = {
  boolean: 'yes or no',
  integer: 'whole number',
  number: 'number',
  object: 'object',
  string: 'text',
};
/** Units that are the type of a number in themselves. */
const measures: Readonly<Record<string, string>> = {
  length: 'length',
  points: 'points',
  percent: 'percent',
  ppi: 'ppi',
  dpi: 'dpi',
  bytes: 'bytes',
  area: 'area',
};

function typeIn(node: Node): string {
  const types = branchesOf(node)
    .filter(({ type }) => type !== 'null')
    .map(typeInOne);
  return [...new Set(types)].join(' or ');
}

function typeInOne(node: Node): string {
  if (isTypedLength(node)) return measures[String(node.unit)] ?? 'length';
  if (typeof node.const === 'number') return 'number';
  if (Array.isArray(node.enum) || node.const !== undefined) return 'word';
  if (Array.isArray(node.prefixItems)) return 'list';
  if (isNode(node.items)) return `list of ${typeIn(node.items)}`;
  const isNumber = node.type === 'number' || node.type === 'integer';
  return (isNumber ? measures[String(node.unit)] : undefined) ?? typeNames[String(node.type)] ?? 'value';
}

/** Whether a value holds an object: the command line takes it as JSON. */
const isComplex = (node: Node): boolean =>
  branchesOf(node).some(
    (branch) =>
      branch.type === 'object' ||
      Array.isArray(branch.prefixItems) ||
      (isNode(branch.items) && isComplex(branch.items)),
  );

function shapeIn(node: Node): string {
  const shapes = branchesOf(node)
    .filter(({ type }) => type !== 'null')
    .map(shapeInOne);
  return [...new Set(shapes)].join(' | ');
}

function shapeInOne(node: Node): string {
  if (Array.isArray(node.enum)) return node.enum.map((word) => JSON.stringify(word)).join(' | ');
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (Array.isArray(node.prefixItems)) return `[${node.prefixItems.filter(isNode).map(shapeIn).join(', ')}]`;
  if (isNode(node.items)) return `[${shapeIn(node.items)}, …]`;
  if (isNode(node.properties)) {
    const entries = Object.entries(node.properties).filter((entry): entry is [string, Node] => isNode(entry[1]));
    return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}: ${shapeIn(inner)}`).join(', ')}}`;
  }
  if (isNode(node.additionalProperties)) return `{name: ${shapeIn(node.additionalProperties)}, …}`;
  return `<${typeInOne(node)}>`;
}
