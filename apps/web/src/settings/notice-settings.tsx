import { SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import type { SystemSettings } from '@pdf2press/contract';
import { systemRoutes } from '@pdf2press/contract/calls';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { useCall } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { SecretField, TextField } from './setting-fields.tsx';
import { SettingOrigin } from './setting-origin.tsx';

/** Where notifications go besides the bell, and which of them. Who wants them by e-mail says so at the bell. */
export function NoticeSettings() {
  const { t } = useTranslation();
  const { control, getValues } = useFormContext<SystemSettings>();
  const { data: kinds } = useCall(systemRoutes.noticeKinds);
  const choices = kinds?.filter(({ goesByHook }) => goesByHook) ?? [];
  return (
    <SectionCard title={t('settings.noticeHook')} text={t('settings.noticeHookText')}>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextField name="noticeSettings.hook.url" help={t('settings.noticeHookUrlText')} />
          <SecretField name="noticeSettings.hook.secret" />
        </SimpleGrid>
        <ConnectionTest
          label={t('settings.testNoticeHook')}
          test={() => call(systemRoutes.testNoticeHook, { body: getValues('noticeSettings.hook') })}
        />
        <Text fw={600}>{t('settings.noticeHookKinds')}</Text>
        <Controller
          control={control}
          name="noticeSettings.hook.muted"
          render={({ field: { value, onChange } }) => (
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              {choices.map(({ kind, label }) => (
                <Switch
                  key={kind}
                  label={label}
                  checked={!value.includes(kind)}
                  onChange={({ currentTarget: { checked } }) =>
                    onChange(checked ? value.filter((one) => one !== kind) : [...value, kind])
                  }
                />
              ))}
            </SimpleGrid>
          )}
        />
        <SettingOrigin name="noticeSettings.hook.muted" />
      </Stack>
    </SectionCard>
  );
}
