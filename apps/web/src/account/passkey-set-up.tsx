import { TextInput } from '@mantine/core';
import { passkeyRoutes } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../client/call.ts';
import { DialogForm } from '../frame/dialog-form.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { OwnPassword } from './own-password.tsx';
import { makePasskey } from './passkey.ts';
import { PasskeyFailure } from './passkey-failure.tsx';
import { SecretOnce } from './secret-once.tsx';

const body = passkeyRoutes.begin.body.extend({ name: passkeyRoutes.rename.body.shape.name });

/** Adds a passkey: the password and a name, what the browser asks, and recovery codes with the first second factor. */
export function PasskeySetUp({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const { register, handleSubmit, formState } = useSchemaForm(body);
  const add = useMutation({
    mutationFn: async ({ name, password }: z.output<typeof body>) => {
      const { token, options } = await call(passkeyRoutes.begin, { body: { password } });
      return call(passkeyRoutes.add, { body: { token, name, answer: await makePasskey(options) } });
    },
    onSuccess: ({ recoveryCodes }) => {
      if (!recoveryCodes) onDone();
    },
  });
  const codes = add.data?.recoveryCodes;
  if (codes) return <SecretOnce text={codes.join('\n')} note={t('secondFactor.once')} onClose={onDone} />;
  return (
    <DialogForm
      onSubmit={handleSubmit((given) => add.mutate(given))}
      onClose={onClose}
      act={t('passkeys.add')}
      isUnderway={add.isPending}
    >
      <PasskeyFailure error={add.error} />
      <OwnPassword error={formState.errors.password?.message} {...register('password')} />
      <TextInput label={t('field.name')} error={formState.errors.name?.message} {...register('name')} />
    </DialogForm>
  );
}
