import type { z } from 'zod';

/** One value that does not fit its schema: a `value.*` message and the dotted field it is about. */
export interface ValueFault {
  code: string;
  params?: Record<string, string | number>;
  field?: string;
}

/** An issue of zod; `input` is present when zod was told to report it. */
type Issue = z.core.$ZodRawIssue | z.core.$ZodIssue;

function boundOf(issue: Issue & { code: 'too_small' | 'too_big' }): ValueFault {
  const isText = issue.origin === 'string';
  if (issue.code === 'too_small') {
    const min = Number(issue.minimum);
    if (min === 1 && (isText || issue.origin === 'array')) return { code: 'value.required' };
    return { code: isText ? 'value.minLength' : 'value.min', params: { min } };
  }
  return { code: isText ? 'value.maxLength' : 'value.max', params: { max: Number(issue.maximum) } };
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Converts an issue of zod to a message code: the same for requests and for forms. */
export function valueFaultOf(issue: Issue): ValueFault {
  switch (issue.code) {
    case 'too_small':
    case 'too_big':
      return boundOf(issue as Issue & { code: 'too_small' | 'too_big' });
    case 'invalid_format':
      if (issue.input === '') return { code: 'value.required' };
      return { code: issue.format === 'email' ? 'value.email' : 'value.invalid' };
    case 'invalid_type':
      if (isEmpty(issue.input)) return { code: 'value.required' };
      if (issue.expected === 'int') return { code: 'value.integer' };
      return { code: issue.expected === 'number' ? 'value.decimal' : 'value.invalid' };
    case 'invalid_union': {
      // For a union of empty and a format, the format is the relevant rule.
      const form = issue.errors.flat().find((inner) => inner.code === 'invalid_format');
      return form ? valueFaultOf(form) : { code: 'value.invalid' };
    }
    case 'custom':
      // A custom rule names its own sentence.
      return typeof issue.params?.code === 'string'
        ? { ...issue.params, code: issue.params.code }
        : { code: 'value.invalid' };
    default:
      return { code: 'value.invalid' };
  }
}
