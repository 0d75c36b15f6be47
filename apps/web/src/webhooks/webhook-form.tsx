import { Button, Checkbox, Group, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { messageEvents, type Webhook, webhookRoutes } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { SecretOnce } from '../account/secret-once.tsx';
import { call } from '../client/call.ts';
import { invalidate } from '../client/queries.ts';
import { DialogForm } from '../frame/dialog-form.tsx';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';

const { body } = webhookRoutes.create;
type Body = z.output<typeof body>;

/** Makes a webhook, whose secret is shown once, or changes one. */
export function WebhookForm({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) {
  const { t } = useTranslation();
  const { register, control, handleSubmit, formState } = useSchemaForm(body, {
    defaultValues: webhook ?? { name: '', url: '', events: [], isOn: true },
  });
  const { errors } = formState;
  const save = useMutation({
    mutationFn: async (given: Body): Promise<string | null> => {
      if (webhook === null) return (await call(webhookRoutes.create, { body: given })).secret;
      await call(webhookRoutes.update, { params: { id: webhook.id }, body: given });
      return null;
    },
    onSuccess: async (secret) => {
      await invalidate(webhookRoutes.list);
      if (secret !== null) return;
      notify.success(t('common.saved'));
      onClose();
    },
  });
  if (save.data) return <SecretOnce text={save.data} note={t('webhooks.once')} onClose={onClose} />;
  return (
    <DialogForm
      onSubmit={handleSubmit((given) => save.mutate(given))}
      onClose={onClose}
      act={t('common.save')}
      isUnderway={save.isPending}
      error={save.error}
    >
      <TextInput label={t('field.name')} data-autofocus error={errors.name?.message} {...register('name')} />
      <TextInput
        label={t('webhooks.url')}
        description={t('webhooks.urlText')}
        type="url"
        error={errors.url?.message}
        {...register('url')}
      />
      <Controller
        control={control}
        name="events"
        render={({ field: { value, onChange }, fieldState }) => (
          <Checkbox.Group
            label={t('webhooks.events')}
            value={value}
            onChange={onChange}
            error={fieldState.error?.message}
          >
            <Group gap="xs" my="xs">
              <Button size="compact-sm" variant="default" onClick={() => onChange([...messageEvents])}>
                {t('webhooks.all')}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => onChange([])}>
                {t('webhooks.none')}
              </Button>
            </Group>
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
              {messageEvents.map((event) => (
                <Checkbox key={event} value={event} label={t(`messageEvent.${event}`)} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        )}
      />
      <Controller
        control={control}
        name="isOn"
        render={({ field: { value, ...field } }) => <Switch label={t('webhooks.isOn')} checked={value} {...field} />}
      />
    </DialogForm>
  );
}
