import { Fieldset, Select, SimpleGrid, TextInput } from '@mantine/core';
import { units } from '@pdf2press/contract';
import { systemRoutes } from '@pdf2press/contract/calls';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCall } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';
import type { OrganizationFields } from './use-organization-form.ts';

/** Where answers go, and how the organization reads numbers, dates and lengths. */
export function MailCard({ form, isFixed }: { form: OrganizationFields; isFixed: boolean }) {
  const { t } = useTranslation();
  const cultures = useCall(systemRoutes.cultures, undefined, { staleTime: Number.POSITIVE_INFINITY });
  return (
    <SectionCard title={t('organizations.contact')}>
      <Fieldset variant="unstyled" disabled={isFixed}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t('organizations.replyTo')}
            description={t('organizations.replyToText')}
            type="email"
            error={form.formState.errors.replyTo?.message}
            {...form.register('replyTo')}
          />
          <Controller
            control={form.control}
            name="culture"
            render={({ field: { value = '', onChange, ...field } }) => (
              <Select
                label={t('settings.culture')}
                description={t('organizations.cultureText')}
                allowDeselect={false}
                disabled={isFixed}
                data={[
                  { value: '', label: t('organizations.ofReader') },
                  ...(cultures.data ?? []).map(({ code, name }) => ({ value: code, label: name })),
                ]}
                value={value}
                onChange={(chosen) => onChange(chosen ?? '')}
                {...field}
              />
            )}
          />
          <Controller
            control={form.control}
            name="unit"
            render={({ field: { value = null, onChange, ...field } }) => (
              <Select
                label={t('settings.unit')}
                description={t('organizations.unitText')}
                allowDeselect={false}
                disabled={isFixed}
                data={[
                  { value: '', label: t('organizations.ofHouse') },
                  ...units.map((unit) => ({ value: unit, label: t(`unit.${unit}`) })),
                ]}
                value={value ?? ''}
                onChange={(chosen) => onChange(chosen || null)}
                {...field}
              />
            )}
          />
        </SimpleGrid>
      </Fieldset>
    </SectionCard>
  );
}
