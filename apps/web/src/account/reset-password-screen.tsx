import { Alert, Anchor, Button, Stack } from '@mantine/core';
import { authRoutes } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { z } from 'zod';
import { call } from '../client/call.ts';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { AccountCard } from './account-card.tsx';
import { FormProblem } from './form-problems.tsx';
import { NewPasswordFields, withNewPassword } from './new-password-fields.tsx';
import { usePasswordPolicy } from './password-rules.tsx';
import { useSecretOfAddress } from './use-secret-of-address.ts';

/** The remaining fields come from the link. */
const asked = authRoutes.resetPassword.body.omit({ token: true });

export function ResetPasswordScreen() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const token = useSecretOfAddress('token');
  const policy = usePasswordPolicy();
  const form = useSchemaForm(withNewPassword(asked, policy), {
    mode: 'onTouched',
    defaultValues: { password: '', passwordConfirmation: '' },
  });
  const reset = useMutation({
    mutationFn: (given: z.output<typeof asked>) => call(authRoutes.resetPassword, { body: { ...given, token } }),
    onSuccess: () => {
      notify.success(t('account.passwordChanged'));
      void navigate('/login', { replace: true });
    },
  });
  return (
    <AccountCard
      title={t('account.resetTitle')}
      foot={
        <Anchor component={Link} to="/login">
          {t('account.backToSignIn')}
        </Anchor>
      }
    >
      {token ? (
        <form noValidate onSubmit={(event) => void form.handleSubmit((given) => reset.mutate(given))(event)}>
          <Stack>
            <FormProblem error={reset.error} />
            <NewPasswordFields form={form} policy={policy} size="md" />
            <Button type="submit" size="md" loading={reset.isPending}>
              {t('account.savePassword')}
            </Button>
          </Stack>
        </form>
      ) : (
        <Alert role="alert" color="error" variant="light">
          {t('auth.resetParametersMissing')}
        </Alert>
      )}
    </AccountCard>
  );
}
