import { Button, Group, PasswordInput } from '@mantine/core';
import type { Permission } from '@pdf2press/contract';
import { communicationProfileRoutes, workflowRoutes } from '@pdf2press/contract/calls';
import type { FieldEditorProps } from '@pdf2press/ui';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { failureText } from '../client/call-error.ts';

interface Keeping {
  /** Keeps the text; answers its id. */
  keep: (text: string) => Promise<{ id: string }>;
  permission: Permission;
}

/** The secret of a step; the workflow holds its id only. */
export const SecretField = (props: FieldEditorProps) => (
  <KeptText
    {...props}
    keep={(text) => call(workflowRoutes.keepSecret, { body: { text } })}
    permission="workflows.actions.edit"
  />
);

/** The address of an incoming hook of a chat service, with which anybody could write there. */
export const ChatHookField = (props: FieldEditorProps) => (
  <KeptText
    {...props}
    keep={(text) => call(communicationProfileRoutes.keepHook, { body: { text } })}
    permission="communication.manage"
  />
);

/** The secret that signs the calls of a communication profile. */
export const SigningSecretField = (props: FieldEditorProps) => (
  <KeptText
    {...props}
    keep={(text) => call(communicationProfileRoutes.keepSigningSecret, { body: { text } })}
    permission="communication.manage"
  />
);

/** The editor of a secret: its text goes to the server at once and is not shown again. */
function KeptText({
  name,
  path,
  control,
  words,
  fault,
  isReadOnly = false,
  keep: keepText,
  permission,
}: FieldEditorProps & Keeping) {
  const { t } = useTranslation();
  const may = useMay();
  const { field } = useController({ control, name });
  const [text, setText] = useState('');
  const keep = useMutation({
    mutationFn: () => keepText(text),
    onSuccess: ({ id }) => {
      setText('');
      field.onChange(id);
    },
  });
  const isKept = typeof field.value === 'string' && field.value !== '';
  const isDisabled = isReadOnly || !may(permission);
  return (
    <Group align="end" gap="xs" wrap="nowrap">
      <PasswordInput
        label={words.label(path)}
        description={words.help(path)}
        placeholder={isKept ? t('rules.secretKept') : ''}
        autoComplete="new-password"
        data-field={name}
        disabled={isDisabled}
        error={keep.error ? failureText(keep.error, t) : fault}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        flex={1}
      />
      {text !== '' && (
        <Button variant="light" loading={keep.isPending} onClick={() => keep.mutate()}>
          {t('rules.keepSecret')}
        </Button>
      )}
      {text === '' && isKept && (
        <Button variant="default" disabled={isDisabled} onClick={() => field.onChange('')}>
          {t('rules.forgetSecret')}
        </Button>
      )}
    </Group>
  );
}
