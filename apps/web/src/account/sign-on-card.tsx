import { Button, Group, Modal, Text } from '@mantine/core';
import { singleSignOnRoutes } from '@pdf2press/contract';
import { IconKey } from '@tabler/icons-react';
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
import { keepForReturn, linkMark } from './sign-on-trip.ts';

type Dialog = { kind: 'link' } | { kind: 'unlink'; issuer: string };

/** The accounts at a sign-in service that sign in as oneself; nothing where there is neither a service nor a link. */
export function SignOnCard() {
  const { t } = useTranslation();
  const { data } = useCall(singleSignOnRoutes.own);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  if (!data || (!data.isOffered && data.links.length === 0)) return null;
  return (
    <SectionCard title={t('signOn.title')} text={t('signOn.text')}>
      <ListRows>
        {data.links.map(({ issuer, linkedAt }) => (
          <Group key={issuer}>
            <IconKey size={20} aria-hidden />
            <div style={{ flex: '1 1 160px' }}>
              <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
                {new URL(issuer).host}
              </Text>
              <Text size="sm" c="dimmed">
                {t('signOn.linkedAt', { when: formatTime(linkedAt) })}
              </Text>
            </div>
            <Button
              variant="default"
              size="xs"
              aria-label={`${t('signOn.unlink')} ${new URL(issuer).host}`}
              onClick={() => setDialog({ kind: 'unlink', issuer })}
            >
              {t('signOn.unlink')}
            </Button>
          </Group>
        ))}
      </ListRows>
      {data.links.length === 0 && (
        <>
          <Text c="dimmed">{t('signOn.none')}</Text>
          <Group justify="end" mt="md">
            <Button onClick={() => setDialog({ kind: 'link' })}>{t('signOn.link')}</Button>
          </Group>
        </>
      )}
      <Modal
        opened={dialog !== null}
        onClose={close}
        title={t(`signOn.${dialog?.kind ?? 'link'}`)}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {dialog?.kind === 'link' && <Link onClose={close} />}
        {dialog?.kind === 'unlink' && <Unlink issuer={dialog.issuer} onClose={close} />}
      </Modal>
    </SectionCard>
  );
}

function Link({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { register, handleSubmit, formState } = useSchemaForm(singleSignOnRoutes.beginLink.body);
  const begin = useMutation({
    mutationFn: (body: { password?: string | undefined }) => call(singleSignOnRoutes.beginLink, { body }),
    onSuccess: ({ address }) => {
      keepForReturn(new URLSearchParams({ [linkMark]: '1' }));
      window.location.assign(address);
    },
  });
  return (
    <DialogForm
      onSubmit={handleSubmit((given) => begin.mutate(given))}
      onClose={onClose}
      act={t('signOn.link')}
      isUnderway={begin.isPending || begin.isSuccess}
      error={begin.error}
    >
      <Text>{t('signOn.linkText')}</Text>
      <OwnPassword error={formState.errors.password?.message} {...register('password')} />
    </DialogForm>
  );
}

function Unlink({ issuer, onClose }: { issuer: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { register, handleSubmit, formState } = useSchemaForm(singleSignOnRoutes.unlink.body, {
    defaultValues: { issuer },
  });
  const unlink = useMutation({
    mutationFn: (body: { issuer: string; password?: string | undefined }) => call(singleSignOnRoutes.unlink, { body }),
    onSuccess: () => {
      void invalidate(singleSignOnRoutes.own);
      onClose();
    },
  });
  return (
    <DialogForm
      onSubmit={handleSubmit((given) => unlink.mutate(given))}
      onClose={onClose}
      act={t('signOn.unlink')}
      isUnderway={unlink.isPending}
      error={unlink.error}
    >
      <Text>{t('signOn.unlinkText')}</Text>
      <OwnPassword error={formState.errors.password?.message} {...register('password')} />
    </DialogForm>
  );
}
