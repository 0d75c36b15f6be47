import { Button, Group, PasswordInput, SimpleGrid, Stack } from '@mantine/core';
import { authRoutes } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { FormProblem } from './form-problems.tsx';
import { type NewPassword, NewPasswordFields } from './new-password-fields.tsx';

interface Given extends NewPassword {
  currentPassword: string;
}

export function OwnPasswordCard() {
  const { t } = useTranslation();
  const form = useForm<Given>({ defaultValues: { currentPassword: '', password: '', passwordConfirmation: '' } });
  const change = useMutation({
    mutationFn: (given: Given) => call(authRoutes.changePassword, { body: given }),
    onSuccess: async () => {
      form.reset();
      notify.success(t('account.passwordChanged'));
      await invalidate(authRoutes.mySessions);
    },
  });
  return (
    <SectionCard title={t('account.changePassword')} text={t('account.changePasswordText')}>
      <form noValidate onSubmit={(event) => void form.handleSubmit((given) => change.mutate(given))(event)}>
        <Stack>
          <FormProblem error={change.error} />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Stack>
              <PasswordInput
                label={t('field.currentPassword')}
                autoComplete="current-password"
                visibilityToggleButtonProps={{ 'aria-label': t('account.showPassword') }}
                error={form.formState.errors.currentPassword?.message}
                {...form.register('currentPassword', { required: t('value.required') })}
              />
            </Stack>
            <Stack>
              <NewPasswordFields form={form as unknown as UseFormReturn<NewPassword>} />
            </Stack>
          </SimpleGrid>
          <Group justify="end">
            <Button type="submit" loading={change.isPending}>
              {t('account.savePassword')}
            </Button>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  );
}
