import { Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { Profile } from '@pdf2press/contract';
import { preflightProfileRoutes } from '@pdf2press/contract';
import { defaultPreflightProfile, preflightProfileSchema } from '@pdf2press/prepress/contracts';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { type FormAction, readAction } from '../frame/form-action.ts';
import { FormFrame } from '../frame/form-frame.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { useProfileForm } from '../profiles/use-profile-form.ts';
import { CheckCards } from './check-cards.tsx';
import { ProfileSummaryCard } from './profile-summary-card.tsx';

const path = '/preflight';
const initialSettings = (): Record<string, unknown> => ({ ...defaultPreflightProfile() });

/** The form of a preflight profile: its name, what it starts from, and each check with its limits. */
export function PreflightProfileScreen() {
  const { t } = useTranslation();
  const { action: text, id } = useParams();
  const action = readAction(text);
  if (!action || (action !== 'new' && !id)) return <Screen title={t('nav.preflight')} state={{ kind: 'notFound' }} />;
  return <PreflightProfileForm key={`${action}/${id}`} action={action} id={id} />;
}

function PreflightProfileForm({ action, id }: { action: FormAction; id: string | undefined }) {
  const { t } = useTranslation();
  const may = useMay();
  const { form, save, query, profile, isNew } = useProfileForm({
    action,
    id,
    path,
    routes: preflightProfileRoutes,
    initial: initialSettings,
  });
  const isReadOnly = action === 'view' || !may('preflight.manage');
  const { errors, isDirty } = form.formState;
  return (
    <Screen
      title={isNew ? t('profiles.preflight.new') : titleOf(profile, action, t)}
      back={{ to: path, label: t('nav.preflight') }}
      state={isNew ? { kind: 'ready' } : stateOf(query)}
    >
      <FormFrame
        back={path}
        isDirty={isDirty}
        isSaving={save.isPending}
        isDone={save.isSuccess}
        isReadOnly={isReadOnly}
        error={save.error}
        errors={errors}
        onSubmit={() => void form.handleSubmit((values) => save.mutate(values))()}
        aside={<ProfileSummaryCard form={form} profile={profile} />}
      >
        <SectionCard title={t('profiles.about')}>
          <Stack>
            <Group align="start" grow>
              <TextInput
                label={t('field.name')}
                withAsterisk
                error={errors.name?.message}
                {...form.register('name', { required: t('value.required') })}
              />
              {isNew && (
                <PresetSelect onChoose={(settings) => form.setValue('settings', settings, { shouldDirty: true })} />
              )}
            </Group>
            <Textarea label={t('field.description')} autosize minRows={2} {...form.register('description')} />
          </Stack>
        </SectionCard>
        <CheckCards form={form} isReadOnly={isReadOnly} />
      </FormFrame>
    </Screen>
  );
}

const titleOf = (profile: Profile | undefined, action: FormAction, t: TFunction): string =>
  profile ? (action === 'copy' ? t('common.copyName', { name: profile.name }) : profile.name) : t('nav.preflight');

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
