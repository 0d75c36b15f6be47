import type { z } from 'zod';

/** One thing wrong with a request: a `value.*` message of the contract and the dotted field it is about. */
export interface ValueFault {
  code: string;
  params?: Record<string, string | number>;
  field?: string;
}

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

type Issue = z.core.$ZodIssue;

const bounds = (issue: Issue & { code: 'too_small' | 'too_big' }): Omit<ValueFault, 'field'> => {
  const isText = issue.origin === 'string';
  if (issue.code === 'too_small') {
    const min = Number(issue.minimum);
    if (min === 1 && (isText || issue.origin === 'array')) return { code: 'value.required' };
    return { code: isText ? 'value.minLength' : 'value.min', params: { min } };
  }
  return { code: isText ? 'value.maxLength' : 'value.max', params: { max: Number(issue.maximum) } };
};

/** zod's issue in the words of the specification §5. */
function faultOf(issue: Issue): Omit<ValueFault, 'field'> {
  if (issue.code === 'too_small' || issue.code === 'too_big') return bounds(issue);
  if (issue.code === 'invalid_format') return { code: issue.format === 'email' ? 'value.email' : 'value.invalid' };
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined || issue.input === null) return { code: 'value.required' };
    if (issue.expected === 'int') return { code: 'value.integer' };
    if (issue.expected === 'number') return { code: 'value.decimal' };
  }
  return { code: 'value.invalid' };
}

export const faultsOf = (error: z.ZodError, prefix = ''): ValueFault[] =>
  error.issues.slice(0, 20).map((issue) => ({
    ...faultOf(issue),
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
