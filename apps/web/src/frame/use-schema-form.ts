import { zodResolver } from '@hookform/resolvers/zod';
import { valueFaultOf } from '@pdf2press/contract';
import type { TFunction } from 'i18next';
import { type FieldValues, type UseFormProps, type UseFormReturn, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import '../client/no-eval.ts';

/** Converts a schema's issue to the contract's sentence. */
export const sayIssue = (t: TFunction) => (issue: z.core.$ZodRawIssue) => {
  const { code, params } = valueFaultOf(issue);
  return t(code, params ?? {});
};

/**
 * A form validated by the contract's schema, so with the server's rules and sentences. It submits the schema's output
 * (trimmed, with defaults).
 */
export function useSchemaForm<S extends z.ZodType<FieldValues, FieldValues>>(
  schema: S,
  options: Omit<UseFormProps<z.input<S>, unknown, z.output<S>>, 'resolver'> = {},
): UseFormReturn<z.input<S>, unknown, z.output<S>> {
  const { t } = useTranslation();
  return useForm<z.input<S>, unknown, z.output<S>>({
    ...options,
    resolver: zodResolver(schema, { error: sayIssue(t) }),
  });
}
