import { Button, Code, Group, Image, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type RouteResult, secondFactorRoutes } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../client/call.ts';
import { useCall } from '../client/queries.ts';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { FormProblem } from './form-problems.tsx';
import { SecretOnce } from './secret-once.tsx';

type Begun = RouteResult<typeof secondFactorRoutes.begin>;

/** Sets the second factor up in three steps: the password, a code of the app, and the recovery codes to keep. */
export function SecondFactorSetUp({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes) return <SecretOnce text={codes.join('\n')} note={t('secondFactor.once')} onClose={onDone} />;
  return begun ? <ConfirmStep begun={begun} onCodes={setCodes} /> : <PasswordStep onBegun={setBegun} />;
}

const { body: passwordBody } = secondFactorRoutes.begin;

function PasswordStep({ onBegun }: { onBegun: (begun: Begun) => void }) {
  const { t } = useTranslation();
  const { data: own } = useCall(secondFactorRoutes.read);
  const { register, handleSubmit, formState } = useSchemaForm(passwordBody);
  const begin = useMutation({
    mutationFn: (given: z.output<typeof passwordBody>) => call(secondFactorRoutes.begin, { body: given }),
    onSuccess: onBegun,
  });
  return (
    <form noValidate onSubmit={(event) => void handleSubmit((given) => begin.mutate(given))(event)}>
      <Stack>
        <FormProblem error={begin.error} />
        <Text>{t(own?.hasPassword === false ? 'secondFactor.noPassword' : 'secondFactor.passwordFirst')}</Text>
        {own?.hasPassword !== false && (
          <PasswordInput
            label={t('field.currentPassword')}
            autoComplete="current-password"
            autoFocus
            visibilityToggleButtonProps={{ 'aria-label': t('account.showPassword') }}
            error={formState.errors.password?.message}
            {...register('password')}
          />
        )}
        <Group justify="end">
          <Button type="submit" loading={begin.isPending}>
            {t('secondFactor.next')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const { body: codeBody } = secondFactorRoutes.confirm;
/** Large enough for a phone at arm's length, CSS pixels. */
const pictureSize = 200;

function ConfirmStep({ begun, onCodes }: { begun: Begun; onCodes: (codes: readonly string[]) => void }) {
  const { t } = useTranslation();
  const { register, handleSubmit, formState } = useSchemaForm(codeBody, { defaultValues: { code: '' } });
  const confirm = useMutation({
    mutationFn: (given: z.output<typeof codeBody>) => call(secondFactorRoutes.confirm, { body: given }),
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
  });
  return (
    <form noValidate onSubmit={(event) => void handleSubmit((given) => confirm.mutate(given))(event)}>
      <Stack>
        <FormProblem error={confirm.error} />
        <Text>{t('secondFactor.scan')}</Text>
        <Image src={begun.picture} alt={t('secondFactor.picture')} w={pictureSize} h={pictureSize} mx="auto" />
        <div>
          <Text size="sm" fw={500}>
            {t('secondFactor.key')}
          </Text>
          <Code block data-key style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {begun.key.replace(/.{4}(?=.)/g, '$& ')}
          </Code>
        </div>
        <TextInput
          label={t('secondFactor.code')}
          description={t('secondFactor.codeText')}
          autoComplete="one-time-code"
          autoFocus
          error={formState.errors.code?.message}
          {...register('code')}
        />
        <Group justify="end">
          <Button type="submit" loading={confirm.isPending}>
            {t('secondFactor.switchOn')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
