import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core';
import { authRoutes } from '@pdf2press/contract';
import { IconMailCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../client/call.ts';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { AccountCard } from './account-card.tsx';
import { useCaptcha } from './captcha.ts';
import { FormProblem } from './form-problems.tsx';

/** The answer is the same whether or not the account exists. */
export function ForgotPasswordScreen() {
  const { t } = useTranslation();
  const captcha = useCaptcha('forgot_password');
  const { register, handleSubmit, formState } = useSchemaForm(authRoutes.forgotPassword.body, {
    mode: 'onTouched',
    defaultValues: { email: '' },
  });
  const ask = useMutation({
    mutationFn: async (given: { email: string }) =>
      call(authRoutes.forgotPassword, { body: { ...given, captcha: await captcha() } as { email: string } }),
  });
  return (
    <AccountCard
      title={t('account.forgotTitle')}
      text={t('account.forgotText')}
      foot={
        <Anchor component={Link} to="/login">
          {t('account.backToSignIn')}
        </Anchor>
      }
    >
      {ask.isSuccess ? (
        <Alert role="status" color="success" variant="light" icon={<IconMailCheck size={20} />}>
          {t('account.forgotDone')}
        </Alert>
      ) : (
        <form noValidate onSubmit={(event) => void handleSubmit((given) => ask.mutate(given))(event)}>
          <Stack>
            <FormProblem error={ask.error} />
            <TextInput
              label={t('field.email')}
              type="email"
              autoComplete="username"
              autoFocus
              size="md"
              error={formState.errors.email?.message}
              {...register('email')}
            />
            <Button type="submit" size="md" loading={ask.isPending}>
              {t('account.forgotSend')}
            </Button>
          </Stack>
        </form>
      )}
    </AccountCard>
  );
}
