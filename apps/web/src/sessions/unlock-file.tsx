import { PasswordInput, Text } from '@mantine/core';
import type { Session } from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { call } from '../client/call.ts';
import { CallError, failureText } from '../client/call-error.ts';
import { DialogForm } from '../frame/dialog-form.tsx';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { sessionsChanged } from './session-actions.ts';

const asked = z.object({ password: z.string().min(1).max(500) });

interface Props {
  session: Session;
  onClose: () => void;
}

/** Asks for the password of a session's file, and restarts the session with the file opened by it. */
export function UnlockFile({ session, onClose }: Props) {
  const { t } = useTranslation();
  const { register, handleSubmit, formState } = useSchemaForm(asked, { defaultValues: { password: '' } });
  const unlock = useMutation({
    mutationFn: (password: string) =>
      call(sessionRoutes.unlock, { params: { id: session.id }, body: { password, version: session.version } }),
    // The password stays in no cache of the page.
    gcTime: 0,
    onSuccess: ({ fileName }) => {
      notify.success(t('sessions.done.unlock', { name: fileName }));
      onClose();
    },
    onSettled: sessionsChanged,
  });
  const isWrong = unlock.error instanceof CallError && unlock.error.has('session.passwordWrong');
  return (
    <DialogForm
      onSubmit={handleSubmit(({ password }) => unlock.mutate(password))}
      onClose={onClose}
      act={t('session.unlockAct')}
      isUnderway={unlock.isPending}
      error={isWrong ? null : unlock.error}
    >
      <Text>{t('sessions.ask.unlock.text')}</Text>
      <PasswordInput
        label={t('session.filePassword')}
        // Not the password of an account: browsers neither fill it in nor offer to keep it.
        autoComplete="one-time-code"
        data-autofocus
        error={formState.errors.password?.message ?? (isWrong && failureText(unlock.error, t))}
        {...register('password')}
      />
    </DialogForm>
  );
}
