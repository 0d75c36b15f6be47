import { Tabs } from '@mantine/core';
import { type FeatureKey, type Permission, type SystemSettings, savedSystemSettingsSchema } from '@pdf2press/contract';
import { systemRoutes } from '@pdf2press/contract/calls';
import { useMutation } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { FormProvider } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { meRoute, useMay, useMe } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate, keyOf, queries, useCall } from '../client/queries.ts';
import { confirm } from '../frame/confirm.ts';
import { FormFrame } from '../frame/form-frame.tsx';
import { InPlan } from '../frame/in-plan.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { AppearanceSettings } from './appearance-settings.tsx';
import { ArchivingSettings } from './archiving-settings.tsx';
import { CaptchaSettings } from './captcha-settings.tsx';
import { GeneralSettings } from './general-settings.tsx';
import { MailSettings } from './mail-settings.tsx';
import { NoticeSettings } from './notice-settings.tsx';
import { SavingsSettings } from './savings-settings.tsx';
import { SecuritySettings } from './security-settings.tsx';
import { SettingChanges } from './setting-changes.tsx';
import { changesOf } from './setting-table.ts';
import { SignOnSettings } from './sign-on-settings.tsx';
import { StorageSettings } from './storage-metrics.tsx';

/** Each tab with the permission that its part needs. */
const tabs: readonly {
  key: string;
  permission: Permission;
  feature?: FeatureKey;
  /** Nothing of it is saved. */
  isRead?: true;
  /** It has parts that can hold for all companies, then only the host's administrators set them. */
  isShared?: true;
  panel: ComponentType;
}[] = [
  { key: 'general', permission: 'settings.general.manage', isShared: true, panel: GeneralSettings },
  { key: 'security', permission: 'settings.security.manage', isShared: true, panel: SecuritySettings },
  { key: 'signOn', permission: 'settings.security.manage', panel: SignOnSettings },
  { key: 'mail', permission: 'settings.smtp.manage', panel: MailSettings },
  { key: 'savings', permission: 'settings.general.manage', panel: SavingsSettings },
  { key: 'appearance', permission: 'settings.general.manage', isShared: true, panel: AppearanceSettings },
  { key: 'notices', permission: 'webhooks.manage', panel: NoticeSettings },
  { key: 'archiving', permission: 'settings.archiving.manage', feature: 'Archiving', panel: ArchivingSettings },
  { key: 'captcha', permission: 'settings.security.manage', isRead: true, panel: CaptchaSettings },
  { key: 'storage', permission: 'storage.metrics.view', isRead: true, panel: StorageSettings },
];

export function SettingsScreen() {
  const { t } = useTranslation();
  const query = useCall(systemRoutes.settings);
  return (
    <Screen title={t('nav.settings')} state={stateOf(query)}>
      {query.data && <SettingsForm settings={query.data} />}
    </Screen>
  );
}

function SettingsForm({ settings }: { settings: SystemSettings }) {
  const { t } = useTranslation();
  const may = useMay();
  const isHost = useMe()?.hostPermissions.includes('host.subscribers.manage');
  const [search, setSearch] = useSearchParams();
  const shown = tabs.filter(({ key }) => key !== 'storage' || may('storage.metrics.view'));
  const tab = shown.find(({ key }) => key === search.get('tab')) ?? shown[0];
  const form = useSchemaForm(savedSystemSettingsSchema, {
    values: settings,
    mode: 'onTouched',
    resetOptions: { keepDirtyValues: true },
  });
  const save = useMutation({
    mutationFn: (body: SystemSettings) => call(systemRoutes.saveSettings, { body }),
    onSuccess: async (saved) => {
      queries.setQueryData(keyOf(systemRoutes.settings), saved);
      form.reset(saved);
      notify.success(t('common.saved'));
      await Promise.all([invalidate(systemRoutes.appInfo), invalidate(meRoute)]);
    },
  });
  const saveSeen = async (body: SystemSettings) => {
    const changes = changesOf(settings, body);
    const isSure =
      changes.length === 0 ||
      (await confirm({
        title: t('settings.changes', { count: changes.length }),
        text: <SettingChanges changes={changes} />,
        act: t('common.save'),
      }));
    if (isSure) save.mutate(body);
  };
  if (!tab) return null;
  const isHosts = tab.isShared === true && settings.isGlobal && !isHost;
  const Panel = tab.panel;
  return (
    <FormProvider {...form}>
      <Tabs value={tab.key} onChange={(key) => setSearch({ tab: key ?? 'general' }, { replace: true })}>
        <Tabs.List>
          {shown.map(({ key }) => (
            <Tabs.Tab key={key} value={key}>
              {t(`settings.${key}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <InPlan feature={tab.feature}>
        <FormFrame
          back="/"
          isDirty={form.formState.isDirty}
          isSaving={save.isPending}
          isReadOnly={!may(tab.permission) || tab.isRead === true || isHosts}
          error={save.error}
          errors={form.formState.errors}
          onSubmit={() => void form.handleSubmit(saveSeen)()}
        >
          <Panel />
        </FormFrame>
      </InPlan>
    </FormProvider>
  );
}
