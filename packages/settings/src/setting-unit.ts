import { z } from 'zod';

type Tree = Record<string, unknown>;
export const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

const described = new WeakMap<z.ZodType, Tree>();
/** A schema as JSON, described once: profiles are read often. */
export function jsonOf(schema: z.ZodType): Tree {
  const known = described.get(schema) ?? z.toJSONSchema(schema, { io: 'input' });
  described.set(schema, known);
  return known;
}

/** The unit of the setting at a path, as its schema's metadata says; undefined for no such setting. */
export function unitOfSetting(schema: z.ZodType, path: readonly string[]): string | null | undefined {
  let node: Tree | undefined = jsonOf(schema);
  for (const step of path) {
    const properties: unknown = node?.properties;
    // Only settings: `constructor` is none.
    node = isTree(properties) && Object.hasOwn(properties, step) ? (properties[step] as Tree) : undefined;
    if (!node) return undefined;
  }
  return unitIn(node ?? {}) ?? null;
}

/** The unit that a node names, or one of the ways in which its value may be written: `Auto` or a length. */
function unitIn({ unit, anyOf }: Tree): string | undefined {
  if (typeof unit === 'string') return unit;
  return Array.isArray(anyOf) ? anyOf.filter(isTree).map(unitIn).find(Boolean) : undefined;
}
