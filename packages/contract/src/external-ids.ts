import { z } from 'zod';
import type { VariableValues } from './workflows.ts';

/** The value under which a sender hands in the number that its own system has for a file. */
export const externalIdName = 'order.externalId';
/** Characters of such a number. */
export const longestExternalId = 200;
export const externalIdSchema = z.string().trim().min(1).max(longestExternalId);

/** The number that the sender's own system has for a file, among its values; null where there is none. */
export function externalIdOf(values: VariableValues): string | null {
  const name = Object.keys(values).find((each) => each.toLowerCase() === externalIdName.toLowerCase());
  const value = name === undefined ? null : values[name];
  const text = value === null || value === undefined ? '' : String(value).trim();
  return text === '' ? null : text.slice(0, longestExternalId);
}
