import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { authRoutes, type Me } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../client/call.ts';
import { keyOf, queries } from '../client/queries.ts';
import { LocaleSelect } from '../frame/locale-select.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { FormProblem } from './form-problems.tsx';
import { chooseLanguage } from './own-language.ts';
import { meRoute } from './use-me.ts';

export function OwnDataCard({ me }: { me: Me }) {
  const { t } = useTranslation();
  const { firstName, lastName, phone, locale } = me;
  const { register, handleSubmit, formState, control } = useSchemaForm(authRoutes.updateMe.body, {
    values: { firstName, lastName, phone, locale },
  });
  const save = useMutation({
    mutationFn: (given: z.output<typeof authRoutes.updateMe.body>) => call(authRoutes.updateMe, { body: given }),
    onSuccess: async (now) => {
      queries.setQueryData(keyOf(meRoute), now);
      await chooseLanguage(now, now.locale);
      notify.success(t('common.saved'));
    },
  });
  return (
    <SectionCard title={t('account.ownData')}>
      <form noValidate onSubmit={(event) => void handleSubmit((given) => save.mutate(given))(event)}>
        <Stack>
          <FormProblem error={save.error} />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label={t('field.firstName')}
              autoComplete="given-name"
              error={formState.errors.firstName?.message}
              {...register('firstName')}
            />
            <TextInput label={t('field.lastName')} autoComplete="family-name" {...register('lastName')} />
            <TextInput label={t('field.email')} value={me.email} readOnly disabled />
            <TextInput label={t('field.phone')} type="tel" autoComplete="tel" {...register('phone')} />
            <Controller control={control} name="locale" render={({ field }) => <LocaleSelect {...field} />} />
          </SimpleGrid>
          <Group justify="end">
            <Button type="submit" loading={save.isPending}>
              {t('common.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  );
}
