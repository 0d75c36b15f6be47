import { type ValueFault, valueFaultOf } from '@pdf2press/contract';
import type { z } from 'zod';

/**
 * Thrown when values do not fit their schema or rules: 400 for a request, 422 for what it describes. The error handler
 * puts the faults into the reader's language.
 */
export class InvalidRequestError extends Error {
  readonly faults: readonly ValueFault[];
  readonly status: 400 | 422;
  constructor(faults: readonly ValueFault[], status: 400 | 422 = 400) {
    super(faults.map((fault) => `${fault.field ?? ''} ${fault.code}`).join(', '));
    this.name = 'InvalidRequestError';
    this.faults = faults;
    this.status = status;
  }
}

export const faultsOf = (error: z.ZodError, prefix = ''): ValueFault[] =>
  error.issues.slice(0, 20).map((issue) => ({
    ...valueFaultOf(issue),
    field: [prefix, ...issue.path.map(String)].filter(Boolean).join('.'),
  }));

/** What no text column can hold: U+0000, and halves of characters (lone surrogates). */
const isUnstorable = (text: string): boolean => text.includes('\u0000') || /\p{Surrogate}/u.test(text);

/** Where a value holds such text. Undefined = nowhere. */
export function unstorableAt(value: unknown, at: readonly string[] = []): readonly string[] | undefined {
  if (typeof value === 'string') return isUnstorable(value) ? at : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = isUnstorable(key) ? at : unstorableAt(inner, [...at, key]);
    if (found) return found;
  }
  return undefined;
}

/**
 * Reads one part of a request by its schema; nothing when the route has none.
 * @throws InvalidRequestError
 */
export function readPart(schema: z.ZodType | undefined, value: unknown, part: 'params' | 'query' | 'body'): unknown {
  if (!schema) return undefined;
  // A missing body is read as an empty object, so that the answer names each missing field.
  const read = schema.safeParse(part === 'body' ? (value ?? {}) : value, { reportInput: true });
  const prefix = part === 'body' ? '' : part;
  if (!read.success) throw new InvalidRequestError(faultsOf(read.error, prefix));
  const unstorable = unstorableAt(read.data);
  if (unstorable) {
    const field = [prefix, ...unstorable].filter(Boolean).join('.');
    throw new InvalidRequestError([{ code: 'value.invalid', field }]);
  }
  return read.data;
}
