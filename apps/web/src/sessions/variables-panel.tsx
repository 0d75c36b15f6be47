import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Session, VariableValues } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { IconPencil } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { CallError, failureText } from '../client/call-error.ts';
import { invalidate } from '../client/queries.ts';
import { notify } from '../frame/toasts.tsx';
import { VariableValue } from '../rules/variable-value.tsx';
import { useSessionActions } from './session-actions.ts';
import { VariableList } from './variable-list.tsx';

/** The variables of a session; while it is on hold, whoever may gives them other values. */
export function VariablesPanel({ session }: { session: Session }) {
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const [offer] = useSessionActions(['overwriteVariables'])([session]);
  const { variables, declaredVariables } = session;
  const entries = Object.entries(variables);
  if (isEditing) return <Editor session={session} onClose={() => setEditing(false)} />;
  return (
    <Stack gap="sm">
      {entries.length === 0 && <Text c="dimmed">{t('session.noVariables')}</Text>}
      <VariableList
        variables={variables}
        note={(name) => {
          const declared = declaredVariables.find((one) => one.name === name);
          return (
            declared && (
              <Text span size="xs" c="dimmed">
                {t(`session.variable.${declared.status}`)}
              </Text>
            )
          );
        }}
      />
      {offer && offer.refusal === null && declaredVariables.length > 0 && (
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPencil size={14} aria-hidden />}
            onClick={() => setEditing(true)}
          >
            {t('sessions.action.overwriteVariables')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Editor({ session, onClose }: { session: Session; onClose: () => void }) {
  const { t } = useTranslation();
  const [values, setValues] = useState<VariableValues>(session.variables);
  const save = useMutation({
    mutationFn: () => {
      const changed = session.declaredVariables.flatMap(({ name }) => {
        const value = values[name] ?? null;
        return value === (session.variables[name] ?? null) ? [] : [[name, value] as const];
      });
      const body = { variables: Object.fromEntries(changed), version: session.version };
      return call(sessionRoutes.overwriteVariables, { params: { id: session.id }, body });
    },
    onSuccess: async () => {
      await invalidate(sessionRoutes.get, sessionRoutes.events);
      notify.success(t('common.saved'));
      onClose();
    },
  });
  const errors = save.error instanceof CallError ? save.error.errors : [];
  const faultOf = (name: string) => errors.find(({ field }) => field === `variables.${name}`)?.message;
  const isToldBeside = session.declaredVariables.some(({ name }) => faultOf(name));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('session.variable.overwriteText')}
        </Text>
        {save.error && !isToldBeside && (
          <Alert color="error" variant="light" py="xs">
            {failureText(save.error, t)}
          </Alert>
        )}
        {session.declaredVariables.map((variable) => (
          <VariableValue
            key={variable.name}
            variable={variable}
            value={values[variable.name] ?? null}
            disabled={save.isPending}
            error={faultOf(variable.name)}
            onChange={(value) => setValues({ ...values, [variable.name]: value === '' ? null : value })}
          />
        ))}
        <Group>
          <Button type="submit" size="xs" loading={save.isPending}>
            {t('common.save')}
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
