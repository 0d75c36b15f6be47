import { type Session, type SessionHold, variablesSchema } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { FormProblem } from '../account/form-problems.tsx';
import { call } from '../client/call.ts';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { VariableFields } from '../uploads/variable-fields.tsx';
import classes from './session.module.css';
import { sessionsChanged } from './session-actions.ts';
import { VariableList } from './variable-list.tsx';

/** The variables that a hold asks for, as the step wants them: those that must have a value are required. */
const askedIn = (hold: SessionHold | null) =>
  (hold?.fields ?? [])
    .filter(({ use }) => use !== 'shown')
    .map(({ variable, use }) => ({ ...variable, default: null, isRequired: use === 'required' }));

const valuesOf = (hold: SessionHold | null) =>
  Object.fromEntries((hold?.fields ?? []).map(({ variable, value }) => [variable.name, value]));

/** The form of what a hold asks for before its session continues. */
export function useHoldFields(session: Session) {
  const { t } = useTranslation();
  const { hold } = session;
  const variables = askedIn(hold);
  const given = valuesOf(hold);
  const { control, handleSubmit } = useSchemaForm(z.object({ variables: variablesSchema(variables) }), {
    defaultValues: { variables: Object.fromEntries(variables.map(({ name }) => [name, given[name] ?? null])) },
  });
  const next = useMutation({
    mutationFn: (values: { variables: Record<string, string | number | boolean | null> }) =>
      call(sessionRoutes.continue, { params: { id: session.id }, body: { version: session.version, ...values } }),
    onSuccess: () => notify.success(t('sessions.done.continue', { name: session.fileName })),
    onSettled: sessionsChanged,
  });
  return {
    variables,
    control,
    error: next.error,
    areAsked: variables.length > 0,
    submit: handleSubmit((values) => next.mutate(values)),
  };
}

interface Props {
  hold: SessionHold;
  form: ReturnType<typeof useHoldFields>;
  /** The reader may let the session go on: otherwise everything is only shown. */
  isOpen: boolean;
}

/** What a hold shows, and asks for before its session continues. */
export function HoldFields({ hold, form, isOpen }: Props) {
  const { t } = useTranslation();
  const shown = isOpen ? hold.fields.filter(({ use }) => use === 'shown') : hold.fields;
  return (
    <div className={classes.holdFields}>
      {shown.length > 0 && (
        <section aria-label={t('session.shownFields')}>
          <VariableList variables={Object.fromEntries(shown.map(({ variable, value }) => [variable.name, value]))} />
        </section>
      )}
      {isOpen && form.areAsked && (
        <form noValidate onSubmit={(event) => void form.submit(event)} aria-label={t('session.answerFields')}>
          <FormProblem error={form.error} />
          <VariableFields variables={form.variables} control={form.control} />
          {/* Enter in a field submits. */}
          <button type="submit" hidden />
        </form>
      )}
    </div>
  );
}
