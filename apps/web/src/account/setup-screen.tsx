import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { authRoutes, nearestLocale } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router';
import { call } from '../client/call.ts';
import { queries, useCall } from '../client/queries.ts';
import { keepTokens } from '../client/tokens.ts';
import { AccountCard } from './account-card.tsx';
import { isEmail } from './email.ts';
import { FormProblem } from './form-problems.tsx';
import { type NewPassword, NewPasswordFields } from './new-password-fields.tsx';
import { useSecretOfAddress } from './use-secret-of-address.ts';

interface Given extends NewPassword {
  firstName: string;
  lastName: string;
  email: string;
  companyName: string;
}

/** Makes the first administrator, with the one-time link that the first start printed, and signs them in. */
export function SetupScreen() {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const token = useSecretOfAddress('token');
  const state = useCall(authRoutes.setupState, undefined, { staleTime: 0 });
  const form = useForm<Given>({
    defaultValues: { firstName: '', lastName: '', email: '', companyName: '', password: '', passwordConfirmation: '' },
  });
  const { register, handleSubmit, formState } = form;
  const { errors } = formState;
  const required = t('value.required');
  const make = useMutation({
    mutationFn: async (given: Given) => {
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
                {...register('firstName', { required })}
              />
              <TextInput label={t('field.lastName')} autoComplete="family-name" {...register('lastName')} />
            </Group>
            <TextInput label={t('field.company')} autoComplete="organization" {...register('companyName')} />
            <TextInput
              label={t('field.email')}
              type="email"
              autoComplete="username"
              error={errors.email?.message}
              {...register('email', { required, validate: (text) => isEmail(text) || t('value.email') })}
            />
            <NewPasswordFields form={form as unknown as UseFormReturn<NewPassword>} />
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
