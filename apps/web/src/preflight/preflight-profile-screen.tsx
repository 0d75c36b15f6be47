import { Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { nearestLocale } from '@pdf2press/contract';
import { preflightProfileRoutes } from '@pdf2press/contract/calls';
import {
  type CheckKey,
  defaultPreflightProfile,
  type Preset,
  preflightProfileSchema,
  presetName,
  presetOf,
  savedPreflightProfileSchema,
} from '@pdf2press/preflight/contracts';
import type { TFunction } from 'i18next';

import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { type ProfileFormProps, ProfileFrame, ProfilePage } from '../profiles/profile-frame.tsx';
import { ProfileMadeFor } from '../profiles/profile-made-for.tsx';
import { settingName } from '../profiles/setting-name.ts';
import { controlOf, useProfileForm } from '../profiles/use-profile-form.ts';
import { type BindingOwner, VariableBindings } from '../profiles/variable-bindings.tsx';
import { TryOnFile } from '../trials/try-on-file.tsx';
import { CheckCards, checkShapes } from './check-cards.tsx';
import { checkWords } from './check-words.ts';
import { type Differences, differencesFrom } from './preset-differences.ts';
import { ProfileFields } from './profile-fields.tsx';
import { ProfileSummaryCard } from './profile-summary-card.tsx';

const path = '/preflight';
const initialSettings = (): Record<string, unknown> => ({ ...defaultPreflightProfile() });

/** The form of a preflight profile: its name, what it starts from, and each check with its limits. */
export const PreflightProfileScreen = () => <ProfilePage kind="preflight" form={PreflightProfileForm} />;

/** The form by itself: also in the drawer of the workflow builder. */
export function PreflightProfileForm({ action, id }: ProfileFormProps) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const held = useProfileForm({
    action,
    id,
    path,
    routes: preflightProfileRoutes,
    schema: savedPreflightProfileSchema,
    initial: initialSettings,
  });
  const { form, profile, isNew } = held;
  const isReadOnly = action === 'view' || !may('preflight.manage');
  const { errors } = form.formState;
  const control = controlOf(form);
  const settings = form.watch('settings');
  const nameOf = (setting: string) =>
    settingName(setting, 'checks', settings, (key) => (isCheck(key) ? checkWords(key, i18n.language, t) : undefined));
  const preset = presetBehind(settings);
  const differences = preset ? differencesFrom(preset.profile, settings) : null;
  return (
    <ProfileFrame
      kind="preflight"
      held={held}
      isReadOnly={isReadOnly}
      nameOf={nameOf}
      aside={
        <>
          <ProfileSummaryCard form={form} profile={profile} />
          <TryOnFile kind="preflight" settings={settings} nameOf={nameOf} />
        </>
      }
    >
      <SectionCard
        title={t('profiles.about')}
        {...(preset
          ? { text: t('preflight.basedOn', { name: presetName(preset, nearestLocale(i18n.language)) }) }
          : {})}
      >
        <Stack>
          <Group align="start" grow>
            <TextInput label={t('field.name')} withAsterisk error={errors.name?.message} {...form.register('name')} />
            {isNew && (
              <PresetSelect onChoose={(settings) => form.setValue('settings', settings, { shouldDirty: true })} />
            )}
          </Group>
          <Textarea label={t('field.description')} autosize minRows={2} {...form.register('description')} />
          <ProfileMadeFor form={form} />
        </Stack>
      </SectionCard>
      <ProfileFields control={control} differences={differences ?? noDifferences} isReadOnly={isReadOnly} />
      <CheckCards form={form} differences={differences} isReadOnly={isReadOnly} />
      <SectionCard title={t('bindings.title')} text={t('bindings.text')}>
        <VariableBindings form={form} isReadOnly={isReadOnly} owners={ownersOf(settings, i18n.language, t)} />
      </SectionCard>
    </ProfileFrame>
  );
}

const isCheck = (key: string): key is CheckKey => checkShapes.has(key as CheckKey);

const noDifferences: Differences = new Map();

/** The preset that a profile was copied from. */
function presetBehind(settings: Record<string, unknown>): Preset | null {
  const base = settings.basePreset as { key?: unknown } | null | undefined;
  return typeof base?.key === 'string' ? (presetOf(base.key) ?? null) : null;
}

/** The checks in the profile with their bindable settings. */
function ownersOf(settings: Record<string, unknown>, language: string, t: TFunction): BindingOwner[] {
  const checks = (settings.checks ?? []) as { key: CheckKey; enabled?: boolean }[];
  return checks.flatMap(({ key, enabled }) => {
    const shape = checkShapes.get(key);
    const { name, label } = checkWords(key, language, t);
    return shape && enabled !== false ? [{ key, name, shape, label }] : [];
  });
}

/** Starts the profile from a preset: all its checks and limits are taken over. */
function PresetSelect({ onChoose }: { onChoose: (settings: Record<string, unknown>) => void }) {
  const { t } = useTranslation();
  const { data } = useCall(preflightProfileRoutes.presets, undefined, { staleTime: Number.POSITIVE_INFINITY });
  const groups = [...new Set(data?.map((preset) => preset.group))];
  return (
    <Select
      label={t('profiles.startFrom')}
      placeholder={t('profiles.startFromText')}
      searchable
      data={groups.map((group) => ({
        group: t(`presetGroup.${group}`, { defaultValue: group }),
        items: (data ?? [])
          .filter((preset) => preset.group === group)
          .map(({ key, name }) => ({ value: key, label: name })),
      }))}
      onChange={(key) => {
        const settings = preflightProfileSchema.safeParse(data?.find((preset) => preset.key === key)?.settings).data;
        if (settings) onChoose({ ...settings });
      }}
    />
  );
}
