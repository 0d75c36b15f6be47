import { Button, Group, PasswordInput, SimpleGrid, Stack } from '@mantine/core';
import { authRoutes } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../client/call.ts';
import { invalidate } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { FormProblem } from './form-problems.tsx';
import { NewPasswordFields, withNewPassword } from './new-password-fields.tsx';
import { usePasswordPolicy } from './password-rules.tsx';

const { body } = authRoutes.changePassword;

export function OwnPasswordCard() {
  const { t } = useTranslation();
  const policy = usePasswordPolicy();
  const form = useSchemaForm(withNewPassword(body, policy), {
    defaultValues: { currentPassword: '', password: '', passwordConfirmation: '' },
  });
  const change = useMutation({
    mutationFn: (given: z.output<typeof body>) => call(authRoutes.changePassword, { body: given }),
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
                {...form.register('currentPassword')}
              />
            </Stack>
            <Stack>
              <NewPasswordFields form={form} policy={policy} />
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
