import { Alert, Badge, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { secondFactorRoutes } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { DialogForm } from '../frame/dialog-form.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { formatTime } from '../language/formats.ts';
import { OwnPassword } from './own-password.tsx';
import { SecondFactorSetUp } from './second-factor-set-up.tsx';
import { SecretOnce } from './secret-once.tsx';
import { meRoute } from './use-me.ts';

type Dialog = 'setUp' | 'newCodes' | 'switchOff';
/** Fewer recovery codes than this are too few to rely on. */
const fewCodes = 3;

/** Whether the own sign-in asks for a code as well, and everything that can be done about it. */
export function SecondFactorCard() {
  const { t } = useTranslation();
  const { data } = useCall(secondFactorRoutes.read);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => {
    setDialog(null);
    void invalidate(secondFactorRoutes.read, meRoute);
  };
  const isOn = Boolean(data?.since);
  return (
    <SectionCard
      title={t('secondFactor.title')}
      text={t('secondFactor.text')}
      action={
        data && (
          <Badge variant="light" tt="none" fw={550} color={isOn ? 'success' : 'neutral'}>
            {t(isOn ? 'secondFactor.on' : 'secondFactor.off')}
          </Badge>
        )
      }
    >
      <Stack>
        {data?.since && (
          <Text>
            {t('secondFactor.since', { when: formatTime(data.since) })}{' '}
            {t('secondFactor.codesLeft', { count: data.recoveryCodesLeft })}
          </Text>
        )}
        {data?.since && data.recoveryCodesLeft < fewCodes && (
          <Alert color="warning" variant="light">
            {t('secondFactor.fewCodes')}
          </Alert>
        )}
        {data?.isRequired && <Text c="dimmed">{t('secondFactor.required')}</Text>}
        <Group justify="end">
          {data && !data.hasApp && <Button onClick={() => setDialog('setUp')}>{t('secondFactor.setUp')}</Button>}
          {isOn && (
            <Button variant="default" onClick={() => setDialog('newCodes')}>
              {t('secondFactor.newCodes')}
            </Button>
          )}
          {isOn && !data?.isRequired && (
            <Button variant="light" color="error" onClick={() => setDialog('switchOff')}>
              {t('secondFactor.switchOff')}
            </Button>
          )}
        </Group>
      </Stack>
      <Modal
        opened={dialog !== null}
        onClose={close}
        // A click beside it must not lose codes that are shown only once.
        closeOnClickOutside={false}
        title={t(`secondFactor.${dialog ?? 'setUp'}`)}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {dialog === 'setUp' && <SecondFactorSetUp onDone={close} />}
        {dialog === 'newCodes' && <NewCodes onClose={close} />}
        {dialog === 'switchOff' && <SwitchOff onClose={close} />}
      </Modal>
    </SectionCard>
  );
}

const { body } = secondFactorRoutes.switchOff;
type Given = z.output<typeof body>;

interface PromptProps {
  act: string;
  isUnderway: boolean;
  error: unknown;
  onGiven: (given: Given) => void;
  onClose: () => void;
}

/** Password and code, as both are asked for what changes the second factor. */
function Prompt({ act, isUnderway, error, onGiven, onClose }: PromptProps) {
  const { t } = useTranslation();
  const { register, handleSubmit, formState } = useSchemaForm(body, { defaultValues: { code: '' } });
  return (
    <DialogForm onSubmit={handleSubmit(onGiven)} onClose={onClose} act={act} isUnderway={isUnderway} error={error}>
      <OwnPassword error={formState.errors.password?.message} {...register('password')} />
      <TextInput
        label={t('secondFactor.code')}
        description={t('secondFactor.anyCodeText')}
        autoComplete="one-time-code"
        error={formState.errors.code?.message}
        {...register('code')}
      />
    </DialogForm>
  );
}

function NewCodes({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const renew = useMutation({
    mutationFn: (given: Given) => call(secondFactorRoutes.renewCodes, { body: given }),
  });
  if (renew.data)
    return <SecretOnce text={renew.data.recoveryCodes.join('\n')} note={t('secondFactor.once')} onClose={onClose} />;
  return (
    <Prompt
      act={t('secondFactor.newCodes')}
      isUnderway={renew.isPending}
      error={renew.error}
      onGiven={renew.mutate}
      onClose={onClose}
    />
  );
}

function SwitchOff({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const off = useMutation({
    mutationFn: (given: Given) => call(secondFactorRoutes.switchOff, { body: given }),
    onSuccess: () => {
      notify.success(t('secondFactor.switchedOff'));
      onClose();
    },
  });
  return (
    <Prompt
      act={t('secondFactor.switchOff')}
      isUnderway={off.isPending}
      error={off.error}
      onGiven={off.mutate}
      onClose={onClose}
    />
  );
}
