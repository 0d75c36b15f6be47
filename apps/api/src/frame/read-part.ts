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

/**
 * Reads one part of a request by its schema; nothing when the route has none.
 * @throws InvalidRequestError
 */
export function readPart(schema: z.ZodType | undefined, value: unknown, part: 'params' | 'query' | 'body'): unknown {
  if (!schema) return undefined;
  // A body without which the route can do may be left out; one that is missing is told field by field.
  const read = schema.safeParse(part === 'body' ? (value ?? {}) : value, { reportInput: true });
  if (read.success) return read.data;
  throw new InvalidRequestError(faultsOf(read.error, part === 'body' ? '' : part));
}
