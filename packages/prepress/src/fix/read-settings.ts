/** Settings as people write them: `3mm`, `yes`, `text,vector`. What is typed properly already passes unchanged. */
import { parseLength, type Unit } from '@pdf2press/contract';
import { z } from 'zod';

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const yes = new Set(['true', 'yes', 'on', '1']);
const no = new Set(['false', 'no', 'off', '0']);

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
    // One value for all four sides, or all values of a group.
    if (!isTree(value))
      return typeof value === 'string' || typeof value === 'number'
        ? Object.fromEntries(names.map((name) => [name, read(properties[name] as Tree, value, unit)]))
        : value;
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
  return read(z.toJSONSchema(schema, { io: 'input' }), raw, unit);
}
