import type { z } from 'zod';

/** One value that does not fit its schema: a `value.*` message and the dotted field it is about. */
export interface ValueFault {
  code: string;
  params?: Record<string, string | number>;
  field?: string;
}

/** As zod tells it; `input` is there when it was asked to report it. */
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

/** zod's issue in the words of the specification §5: one reading for requests and for the forms that make them. */
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
      // Of what may be empty or have a form, the form is what was meant.
      const form = issue.errors.flat().find((inner) => inner.code === 'invalid_format');
      return form ? valueFaultOf(form) : { code: 'value.invalid' };
    }
    case 'custom':
      // A rule of ours names its own sentence.
      return typeof issue.params?.code === 'string'
        ? (issue.params as unknown as ValueFault)
        : { code: 'value.invalid' };
    default:
      return { code: 'value.invalid' };
  }
}
