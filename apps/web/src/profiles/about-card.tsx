import { Stack, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../frame/section-card.tsx';
import { ProfileMadeFor } from './profile-made-for.tsx';
import type { ProfileValues } from './use-profile-form.ts';

/** The first card of a profile's form: name and description, then what its kind asks for first. */
export function AboutCard({ form, children }: { form: UseFormReturn<ProfileValues>; children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <SectionCard title={t('profiles.about')}>
      <Stack>
        <TextInput
          label={t('field.name')}
          withAsterisk
          error={form.formState.errors.name?.message}
          {...form.register('name')}
        />
        <Textarea label={t('field.description')} autosize minRows={1} {...form.register('description')} />
        <ProfileMadeFor form={form} />
        {children}
      </Stack>
    </SectionCard>
  );
}
