import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { passkeyRoutes, type RouteResult, secondFactorRoutes } from '@pdf2press/contract';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { DialogForm } from '../frame/dialog-form.tsx';
import { ListRows } from '../frame/list-rows.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { formatTime } from '../language/formats.ts';
import { OwnPassword } from './own-password.tsx';
import { PasskeySetUp } from './passkey-set-up.tsx';
import { meRoute } from './use-me.ts';

type Passkey = RouteResult<typeof passkeyRoutes.list>[number];
type Dialog = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey };

/** The own passkeys, and everything that can be done about them. */
export function PasskeysCard() {
  const { t } = useTranslation();
  const { data } = useCall(passkeyRoutes.list);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => {
    setDialog(null);
    void invalidate(passkeyRoutes.list, secondFactorRoutes.read, meRoute);
  };
  return (
    <SectionCard title={t('passkeys.title')} text={t('passkeys.text')}>
      <ListRows>
        {data?.map((passkey) => (
          <Group key={passkey.id}>
            <IconFingerprint size={20} aria-hidden />
            <div style={{ flex: '1 1 160px' }}>
              <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
                {passkey.name}
              </Text>
              <Text size="sm" c="dimmed">
                {passkey.lastUsedAt
                  ? t('passkeys.lastUsed', { when: formatTime(passkey.lastUsedAt) })
                  : t('passkeys.neverUsed')}
              </Text>
            </div>
            {(['rename', 'remove'] as const).map((kind) => (
              <Button
                key={kind}
                variant="default"
                size="xs"
                aria-label={`${t(`passkeys.${kind}`)} ${passkey.name}`}
                onClick={() => setDialog({ kind, passkey })}
              >
                {t(`passkeys.${kind}`)}
              </Button>
            ))}
          </Group>
        ))}
      </ListRows>
      {data?.length === 0 && <Text c="dimmed">{t('passkeys.none')}</Text>}
      <Group justify="end" mt="md">
        <Button onClick={() => setDialog({ kind: 'add' })}>{t('passkeys.add')}</Button>
      </Group>
      <Modal
        opened={dialog !== null}
        onClose={close}
        // A click beside it must not lose codes that are shown only once.
        closeOnClickOutside={false}
        title={t(`passkeys.${dialog?.kind ?? 'add'}`)}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {dialog?.kind === 'add' && <PasskeySetUp onDone={close} onClose={close} />}
        {dialog?.kind === 'rename' && <Rename passkey={dialog.passkey} onClose={close} />}
        {dialog?.kind === 'remove' && <Remove passkey={dialog.passkey} onClose={close} />}
      </Modal>
    </SectionCard>
  );
}

interface Props {
  passkey: Passkey;
  onClose: () => void;
}

function Rename({ passkey: { id, name }, onClose }: Props) {
  const { t } = useTranslation();
  const { register, handleSubmit, formState } = useSchemaForm(passkeyRoutes.rename.body, { defaultValues: { name } });
  const rename = useMutation({
    mutationFn: (body: { name: string }) => call(passkeyRoutes.rename, { params: { id }, body }),
    onSuccess: onClose,
  });
  return (
    <DialogForm
      onSubmit={handleSubmit((given) => rename.mutate(given))}
      onClose={onClose}
      act={t('passkeys.rename')}
      isUnderway={rename.isPending}
      error={rename.error}
    >
      <TextInput label={t('field.name')} data-autofocus error={formState.errors.name?.message} {...register('name')} />
    </DialogForm>
  );
}

function Remove({ passkey: { id, name }, onClose }: Props) {
  const { t } = useTranslation();
  const { register, handleSubmit, formState } = useSchemaForm(passkeyRoutes.remove.body);
  const remove = useMutation({
    mutationFn: (body: { password?: string | undefined }) => call(passkeyRoutes.remove, { params: { id }, body }),
    onSuccess: onClose,
  });
  return (
    <DialogForm
      onSubmit={handleSubmit((given) => remove.mutate(given))}
      onClose={onClose}
      act={t('passkeys.remove')}
      isUnderway={remove.isPending}
      error={remove.error}
    >
      <Text>{t('passkeys.removeText', { name })}</Text>
      <OwnPassword error={formState.errors.password?.message} {...register('password')} />
    </DialogForm>
  );
}
