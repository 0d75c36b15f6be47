import type { FieldShape } from '@pdf2press/ui';

/** Paths of all settings of a shape, groups among them. */
export const settingPaths = (shape: FieldShape, path = ''): string[] => [
  ...(path ? [path] : []),
  ...(shape.kind === 'group'
    ? shape.fields.flatMap(([key, inner]) => settingPaths(inner, path ? `${path}.${key}` : key))
    : []),
];

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** Whether each word of a search occurs in one of the texts, ignoring case and accents. */
export function isFound(search: string, texts: readonly (string | undefined)[]): boolean {
  const all = plain(texts.filter(Boolean).join('\n'));
  return plain(search)
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** The field at a path of a shape. */
export function shapeAt(shape: FieldShape, path: readonly string[]): FieldShape | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return shape;
  const inner = shape.kind === 'group' ? shape.fields.find(([key]) => key === first)?.[1] : undefined;
  return inner && shapeAt(inner, rest);
}
