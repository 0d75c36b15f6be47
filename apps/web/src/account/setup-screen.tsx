import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { authRoutes, nearestLocale } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router';
import type { z } from 'zod';
import { call } from '../client/call.ts';
import { queries, useCall } from '../client/queries.ts';
import { keepTokens } from '../client/tokens.ts';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { AccountCard } from './account-card.tsx';
import { FormProblem } from './form-problems.tsx';
import { NewPasswordFields, withNewPassword } from './new-password-fields.tsx';
import { usePasswordPolicy } from './password-rules.tsx';
import { useSecretOfAddress } from './use-secret-of-address.ts';

/** The fields of the form; the link and the language are added on submit. */
const asked = authRoutes.setup.body.omit({ token: true, locale: true });

/** Creates the first administrator with the one-time link printed by the first start, and signs in. */
export function SetupScreen() {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const token = useSecretOfAddress('token');
  const state = useCall(authRoutes.setupState, undefined, { staleTime: 0 });
  const policy = usePasswordPolicy();
  const form = useSchemaForm(withNewPassword(asked, policy), {
    mode: 'onTouched',
    defaultValues: { firstName: '', lastName: '', email: '', companyName: '', password: '', passwordConfirmation: '' },
  });
  const { register, handleSubmit, formState } = form;
  const { errors } = formState;
  const make = useMutation({
    mutationFn: async (given: z.output<typeof asked>) => {
      await call(authRoutes.setup, { body: { ...given, token, locale: nearestLocale(i18n.language) } });
      return call(authRoutes.login, { body: { email: given.email, password: given.password, useCookie: true } });
    },
    onSuccess: async (tokens) => {
      keepTokens(tokens);
      queries.clear();
      await navigate('/', { replace: true });
    },
  });
  if (state.data?.isDone && !make.isPending && !make.isSuccess) return <Navigate to="/login" replace />;
  return (
    <AccountCard title={t('account.setupTitle')} text={t('account.setupText')}>
      {token ? (
        <form noValidate onSubmit={(event) => void handleSubmit((given) => make.mutate(given))(event)}>
          <Stack>
            <FormProblem error={make.error} />
            <Group grow align="start">
              <TextInput
                label={t('field.firstName')}
                autoComplete="given-name"
                autoFocus
                error={errors.firstName?.message}
                {...register('firstName')}
              />
              <TextInput label={t('field.lastName')} autoComplete="family-name" {...register('lastName')} />
            </Group>
            <TextInput label={t('field.company')} autoComplete="organization" {...register('companyName')} />
            <TextInput
              label={t('field.email')}
              type="email"
              autoComplete="username"
              error={errors.email?.message}
              {...register('email')}
            />
            <NewPasswordFields form={form} policy={policy} />
            <Button type="submit" size="md" loading={make.isPending}>
              {t('account.setupSubmit')}
            </Button>
          </Stack>
        </form>
      ) : (
        <Alert role="status" color="info" variant="light">
          {t('account.setupLink')}
        </Alert>
      )}
    </AccountCard>
  );
}
