import { TextInput } from '@mantine/core';
import { apiKeyRoutes, type Permission } from '@pdf2press/contract';
import { IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { DialogForm } from '../frame/dialog-form.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { PermissionPicker } from '../roles/permission-picker.tsx';
import { SecretOnce } from './secret-once.tsx';
import { SecretsCard } from './secrets-card.tsx';
import { useMe } from './use-me.ts';

const { body } = apiKeyRoutes.create;

/** The usual permissions of an integration: submit, view, download. */
const usual: readonly Permission[] = ['sessions.view', 'sessions.inject', 'sessions.files.download', 'workflows.view'];

export function ApiKeysCard() {
  const { data } = useCall(apiKeyRoutes.list);
  return (
    <SecretsCard
      of="apiKeys"
      routes={apiKeyRoutes}
      icon={IconKey}
      secrets={data}
      form={(onClose) => <NewApiKey onClose={onClose} />}
    />
  );
}

/** Creates a key and shows its text once. */
function NewApiKey({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const held = useMe()?.permissions ?? [];
  const { register, control, handleSubmit, formState } = useSchemaForm(body, {
    defaultValues: { name: '', permissions: usual.filter((one) => held.includes(one)) },
  });
  const { errors } = formState;
  const make = useMutation({
    mutationFn: (given: z.output<typeof body>) => call(apiKeyRoutes.create, { body: given }),
    onSuccess: () => invalidate(apiKeyRoutes.list),
  });
  if (make.data) return <SecretOnce text={make.data.key} note={t('apiKeys.once')} onClose={onClose} />;
  return (
    <DialogForm
      onSubmit={handleSubmit((given) => make.mutate(given))}
      onClose={onClose}
      act={t('apiKeys.make')}
      isUnderway={make.isPending}
      error={make.error}
    >
      <TextInput label={t('field.name')} data-autofocus error={errors.name?.message} {...register('name')} />
      <Controller
        control={control}
        name="permissions"
        render={({ field, fieldState }) => (
          <PermissionPicker
            value={field.value}
            onChange={field.onChange}
            offered={held}
            error={fieldState.error?.message}
          />
        )}
      />
    </DialogForm>
  );
}
