import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { apiKeyRoutes, type Permission } from '@pdf2press/contract';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { confirm } from '../frame/confirm.ts';
import { ListRows } from '../frame/list-rows.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { formatAgo } from '../language/formats.ts';
import { PermissionPicker } from '../roles/permission-picker.tsx';
import { FormProblem } from './form-problems.tsx';
import { SecretOnce } from './secret-once.tsx';
import { useMe } from './use-me.ts';

/** What an integration usually needs: hand in, look, download. */
const usual: readonly Permission[] = ['sessions.view', 'sessions.inject', 'sessions.files.download', 'workflows.view'];

export function ApiKeysCard() {
  const { t } = useTranslation();
  const { data } = useCall(apiKeyRoutes.list);
  const [isOpen, dialog] = useDisclosure();
  const revoke = useMutation({
    mutationFn: (id: string) => call(apiKeyRoutes.revoke, { params: { id } }),
    onSuccess: () => invalidate(apiKeyRoutes.list),
    onError: notify.failure,
  });
  return (
    <SectionCard
      title={t('apiKeys.title')}
      text={t('apiKeys.text')}
      action={
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={dialog.open}>
          {t('apiKeys.new')}
        </Button>
      }
    >
      {data?.length === 0 && <Text c="dimmed">{t('apiKeys.none')}</Text>}
      <ListRows>
        {data?.map((key) => (
          <Group key={key.id}>
            <IconKey size={20} aria-hidden />
            <div style={{ flex: '1 1 160px' }}>
              <Text fw={500}>{key.name}</Text>
              <Text size="sm" c="dimmed">
                <Code>{key.prefix}…</Code> {t('apiKeys.permissions', { count: key.permissions.length })} ·{' '}
                {key.lastUsedAt ? t('apiKeys.lastUsed', { when: formatAgo(key.lastUsedAt) }) : t('apiKeys.neverUsed')}
              </Text>
            </div>
            <Button
              variant="light"
              color="error"
              size="xs"
              onClick={async () => {
                const isSure = await confirm({
                  title: t('apiKeys.revokeTitle', { name: key.name }),
                  text: t('apiKeys.revokeText'),
                  act: t('apiKeys.revoke'),
                  isDangerous: true,
                });
                if (isSure) revoke.mutate(key.id);
              }}
            >
              {t('apiKeys.revoke')}
            </Button>
          </Group>
        ))}
      </ListRows>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title={t('apiKeys.new')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {isOpen && <NewApiKey onClose={dialog.close} />}
      </Modal>
    </SectionCard>
  );
}

/** Names and limits a key, and shows its text this once. */
function NewApiKey({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const me = useMe();
  const { register, handleSubmit, formState } = useSchemaForm(apiKeyRoutes.create.body.pick({ name: true }), {
    defaultValues: { name: '' },
  });
  const [permissions, setPermissions] = useState<readonly Permission[]>(
    usual.filter((one) => me?.permissions.includes(one)),
  );
  const make = useMutation({
    mutationFn: ({ name }: { name: string }) =>
      call(apiKeyRoutes.create, { body: { name, permissions: [...permissions] as [Permission, ...Permission[]] } }),
    onSuccess: () => invalidate(apiKeyRoutes.list),
  });
  if (make.data) return <SecretOnce text={make.data.key} note={t('apiKeys.once')} onClose={onClose} />;
  return (
    <form noValidate onSubmit={(event) => void handleSubmit((given) => make.mutate(given))(event)}>
      <Stack>
        <FormProblem error={make.error} />
        <TextInput
          label={t('field.name')}
          data-autofocus
          error={formState.errors.name?.message}
          {...register('name')}
        />
        <PermissionPicker value={permissions} onChange={setPermissions} offered={me?.permissions ?? []} />
        <Group justify="end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={make.isPending} disabled={permissions.length === 0}>
            {t('apiKeys.make')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
