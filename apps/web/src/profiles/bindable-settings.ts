import type { FieldShape } from '@pdf2press/ui';

const bindable: ReadonlySet<FieldShape['kind']> = new Set(['number', 'flag', 'choice', 'text']);

/** Paths of the settings with a single value, which can be bound to a variable; lists cannot. */
export function bindableSettings(shape: FieldShape, path = ''): string[] {
  if (shape.kind === 'group')
    return shape.fields.flatMap(([key, inner]) => bindableSettings(inner, path ? `${path}.${key}` : key));
  return bindable.has(shape.kind) ? [path] : [];
}
