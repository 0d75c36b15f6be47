import { mailboxRoutes } from '@pdf2press/contract/calls';
import {
  type FillingSettings,
  mailboxSettingsSchema,
  newlyUnfilledVariables,
  unfilledVariables,
} from '@pdf2press/sources/contracts';
import { type RefObject, useEffect, useMemo } from 'react';
import { get, type Path, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useCall } from '../client/queries.ts';
import type { ProfileValues } from '../profiles/use-profile-form.ts';

/* Variables that a mailbox fills and that its published workflow does not have, as the server looks at them. */

/** What the settings of a mailbox are held against. */
export interface KnownVariables {
  workflowId: string;
  /** Those of the workflow's published version; null while they are not known. */
  variables: Parameters<typeof unfilledVariables>[1] | null;
  stored: FillingSettings | undefined;
}

export const noneKnown: KnownVariables = { workflowId: '', variables: null, stored: undefined };

/** In a form a pattern may be half written: what is wrong with one besides is said by the schema of the settings. */
const fillingSchema = mailboxSettingsSchema
  .pick({ workflowId: true, subjectVariable: true, senderVariable: true, bodyVariable: true })
  .extend({
    workflowId: z.string(),
    patterns: z.array(z.object({ part: z.enum(['subject', 'sender', 'body']), pattern: z.string() })).default([]),
  });

/** A schema of settings that also refuses variables which were entered and cannot be filled. */
export const withFilledVariables = <S extends z.ZodType<FillingSettings>>(
  schema: S,
  known: RefObject<KnownVariables>,
) =>
  schema.superRefine((settings, context) => {
    const { workflowId, variables, stored } = known.current;
    if (!variables || settings.workflowId !== workflowId) return;
    for (const { field, code, params } of newlyUnfilledVariables(settings, stored, variables)) {
      const path = field.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
      context.addIssue({ code: 'custom', path, params: { code, params } });
    }
  });

/** The fields of a form that name variables. */
const namingFields = ({ patterns }: FillingSettings): Path<ProfileValues>[] =>
  ['subjectVariable', 'senderVariable', 'bodyVariable', ...patterns.map((_, at) => `patterns.${at}.pattern`)].map(
    (field) => `settings.${field}` as Path<ProfileValues>,
  );

/**
 * Keeps `known` as it is for a form now. Resolves fields of the form to what is said there of variables that were stored before
 * their workflow lost them, which do not keep the form from being saved.
 */
export function useUnfilledVariables(
  form: UseFormReturn<ProfileValues>,
  known: RefObject<KnownVariables>,
  storedSettings: Record<string, unknown> | undefined,
): (name: string) => string | undefined {
  const { t } = useTranslation();
  const settings = fillingSchema.safeParse(form.watch('settings')).data;
  const workflowId = settings?.workflowId ?? '';
  const { data } = useCall(mailboxRoutes.workflowVariables, { query: { workflowId } }, { enabled: workflowId !== '' });
  const variables = data?.variables ?? null;
  const stored = useMemo(() => fillingSchema.safeParse(storedSettings).data, [storedSettings]);
  known.current = { workflowId, variables, stored };
  // What was entered before the workflow was chosen is looked at once its variables are known.
  useEffect(() => {
    const now = form.getValues();
    const read = fillingSchema.safeParse(now.settings).data;
    const named = read ? namingFields(read).filter((field) => get(now, field)) : [];
    if (variables && named.length > 0) void form.trigger(named);
  }, [variables, form]);
  if (!settings || !variables) return () => undefined;
  const newly = newlyUnfilledVariables(settings, stored, variables).map(({ params }) => params.name);
  const faults = unfilledVariables(settings, variables).filter(({ params }) => !newly.includes(params.name));
  return (name) => {
    const fault = faults.find(({ field }) => name === `settings.${field}`);
    return fault && t(fault.code, fault.params);
  };
}
