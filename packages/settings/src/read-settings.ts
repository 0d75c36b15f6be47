/**
 * Settings as people write them: `3mm`, `yes`, `text,vector`, `vector where possible`. What is typed properly already passes
 * unchanged.
 */
import { parseLength, type Unit } from '@pdf2press/contract';
import type { z } from 'zod';
import { jsonOf } from './setting-unit.ts';

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const yes = new Set(['true', 'yes', 'on', '1']);
const no = new Set(['false', 'no', 'off', '0']);

/** Words that the trade writes in two ways, and the way ours are written. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/colour/g, 'color'],
  [/center/g, 'centre'],
  [/grey/g, 'gray'],
  [/^pageinfo(slugtext)?$|^slugtext$/, 'slug'],
];
const folded = (word: string): string =>
  spellings.reduce((text, [way, ours]) => text.replace(way, ours), word.toLowerCase().replace(/[\s_–-]/g, ''));

/** The option that is meant, whatever its capitals, blanks and spelling; the word itself where none is. */
const option = (options: readonly unknown[], word: string): unknown =>
  options.includes(word)
    ? word
    : (options.find((known) => typeof known === 'string' && folded(known) === folded(word)) ?? word);

/** The branch of a schema that is not null: `null` switches a limit off. */
function inner(schema: Tree): Tree {
  const branches = schema.anyOf;
  const found = Array.isArray(branches)
    ? branches.find((branch) => isTree(branch) && branch.type !== 'null')
    : undefined;
  return isTree(found) ? { ...found, unit: schema.unit ?? found.unit } : schema;
}

function read(schema: Tree, value: unknown, unit: Unit): unknown {
  const node = inner(schema);
  if (isTree(node.properties)) {
    const { properties } = node;
    const names = Object.keys(properties);
    // One value for the main part of a group, or for all four sides.
    if (!isTree(value)) {
      if (value === null || typeof value === 'undefined') return value;
      const meant = typeof node.main === 'string' ? [node.main] : names;
      return Object.fromEntries(meant.map((name) => [name, read(properties[name] as Tree, value, unit)]));
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [
        name,
        isTree(properties[name]) ? read(properties[name], entry, unit) : entry,
      ]),
    );
  }
  if (node.type === 'array') {
    const items = isTree(node.items) ? node.items : {};
    const list =
      typeof value === 'string'
        ? value
            .split(',')
            .map((piece) => piece.trim())
            .filter(Boolean)
        : value;
    const each =
      isTree(items) && !items.type && node.unit === 'length'
        ? { ...items, type: 'number', unit: 'length' }
        : { unit: node.unit, ...items };
    return Array.isArray(list) ? list.map((entry) => read(each, entry, unit)) : list;
  }
  if (typeof value !== 'string') return value;
  if (/^(null|none|off)$/i.test(value) && Array.isArray(schema.anyOf)) return null;
  if (Array.isArray(node.enum)) return option(node.enum, value);
  if (node.type === 'number' || node.type === 'integer') {
    if (node.unit === 'length') return parseLength(value, unit) ?? value;
    if (node.unit === 'points') return parseLength(value, 'pt') ?? value;
    const number = Number(value.replace(/\s*(%|ppi|dpi)$/i, ''));
    return value.trim() !== '' && Number.isFinite(number) ? number : value;
  }
  if (node.type === 'boolean') return yes.has(value.toLowerCase()) ? true : no.has(value.toLowerCase()) ? false : value;
  return value;
}

/** Makes a raw settings object fit its schema as far as its texts can be read; what cannot is left for the schema to refuse. */
export function readSettings(schema: z.ZodType, raw: unknown, unit: Unit): unknown {
  if (!isTree(raw)) return raw;
  return read(jsonOf(schema), raw, unit);
}
