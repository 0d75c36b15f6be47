import type { AuditEntry } from '@pdf2press/contract';

/** One field of what an act changed; `unchanged` counts the values of a list that stayed. */
export interface Change {
  field: string;
  before: unknown;
  after: unknown;
  unchanged: number;
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const listOf = (value: unknown): string[] | null =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : null;

/** Of two lists only what went and what came: a role has many permissions. */
function changeOf(field: string, before: unknown, after: unknown): Change {
  const [was, is] = [listOf(before), listOf(after)];
  if (!was || !is) return { field, before, after, unchanged: 0 };
  return {
    field,
    before: was.filter((item) => !is.includes(item)),
    after: is.filter((item) => !was.includes(item)),
    unchanged: was.filter((item) => is.includes(item)).length,
  };
}

/** Field by field what was before and what is now; fields that stayed as they were are left out. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Change[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields
    .filter((field) => !same(before?.[field], after?.[field]))
    .map((field) => changeOf(field, before?.[field], after?.[field]));
}
