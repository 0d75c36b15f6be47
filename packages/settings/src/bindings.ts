/**
 * Settings that follow a workflow's variables: beside the settings a profile keeps `bindings`, each the path of a setting
 * and the expression that gives its value. Checks, fixes and impositions share this.
 */
import type { Unit } from '@pdf2press/contract';
import { z } from 'zod';
import { evaluate, isExpression, measureOf, type Variables } from './expression.ts';
import { isTree, unitOfSetting } from './setting-unit.ts';

/** Path of a setting → expression over variables: `sheet.width` → `2 * width + 10mm`. */
export type Bindings = Readonly<Record<string, string>>;

const isGiven = ({ value }: { value: unknown }): boolean => String(value).trim() !== '';

/** An expression as it is stored: something that can be computed once its variables are known. */
export const expressionSchema = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine(isExpression, { params: { code: 'expression.invalid' }, when: isGiven });

/** Copies the objects along a path, so that what was given stays as it is, and puts the value at its end. */
function withValue(
  tree: Readonly<Record<string, unknown>>,
  path: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [step = '', ...rest] = path;
  if (rest.length === 0) return { ...tree, [step]: value };
  const below = Object.hasOwn(tree, step) ? tree[step] : undefined;
  return {
    ...tree,
    [step]: withValue(isTree(below) && !Array.isArray(below) ? (below as Record<string, unknown>) : {}, rest, value),
  };
}

/** Whether a schema has a setting at a path. */
export const hasSetting = (schema: z.ZodType, path: string): boolean =>
  unitOfSetting(schema, path.split('.')) !== undefined;

/**
 * Settings with the values of their bindings, not yet validated. A binding that cannot be computed, because a variable has
 * no value, leaves the stored value; lengths become points.
 * @param unit of bare numbers
 */
export function bindSettings<T extends Readonly<Record<string, unknown>>>({
  settings,
  bindings,
  schema,
  variables,
  unit,
}: {
  settings: T;
  bindings: Bindings;
  schema: z.ZodType;
  variables: Variables;
  unit: Unit;
}): T {
  let bound: Record<string, unknown> = settings;
  for (const [target, expression] of Object.entries(bindings)) {
    const path = target.split('.');
    const kind = unitOfSetting(schema, path);
    const value = kind === undefined ? undefined : evaluate(expression, variables, measureOf(kind, unit));
    // An empty text is a variable that nobody filled in.
    if (value !== undefined && value !== '') bound = withValue(bound, path, value);
  }
  return bound as T;
}

/**
 * The same for the parts of a list, each with a `key` and `settings` of its own: a binding's path begins with the key, and
 * is for every part of that key.
 */
export function bindParts<T extends { readonly key: string; readonly settings: object }>({
  parts,
  bindings,
  schemaOf,
  variables,
  unit,
}: {
  parts: readonly T[];
  bindings: Bindings;
  schemaOf: (key: string) => z.ZodType | null;
  variables: Variables;
  unit: Unit;
}): T[] {
  const byKey = new Map<string, Record<string, string>>();
  for (const [target, expression] of Object.entries(bindings)) {
    const dot = target.indexOf('.');
    const key = target.slice(0, dot);
    byKey.set(key, { ...byKey.get(key), [target.slice(dot + 1)]: expression });
  }
  return parts.map((part) => {
    const own = byKey.get(part.key);
    const schema = own && schemaOf(part.key);
    if (!schema) return part;
    const settings = part.settings as Readonly<Record<string, unknown>>;
    return { ...part, settings: bindSettings({ settings, bindings: own, schema, variables, unit }) };
  });
}
