import { MultiSelect, Stack } from '@mantine/core';
import { archivingFormParts, archivingFormSchema } from '@pdf2press/contract';
import { archivingProfileRoutes, archivingRoutes, workflowRoutes } from '@pdf2press/contract/calls';
import { FieldSurroundings, type SettingsWords, shapeOf } from '@pdf2press/ui';
import { useMemo } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { useCall } from '../client/queries.ts';
import { TargetSecretField } from '../delivery/target-secret-field.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { AboutCard } from '../profiles/about-card.tsx';
import { type ProfileFormProps, ProfileFrame, ProfilePage } from '../profiles/profile-frame.tsx';
import { ProfileSettings } from '../profiles/profile-settings.tsx';
import { controlOf, faultsOf, useProfileForm } from '../profiles/use-profile-form.ts';
import { profileFields } from '../rules/field-editors.tsx';
import { ArchiveTest } from '../settings/archive-trial.tsx';

const { rules, place } = archivingFormParts;
const rulesShape = shapeOf(rules);
const placeShape = shapeOf(place);
const placeNames = Object.keys(place.shape);
const freshSettings = (): Record<string, unknown> => ({ ...archivingFormSchema.parse({}) });

const withSecret = (stored: Record<string, unknown>) => ({ secretKey: '', ...stored });
/** A stored secret is of one policy: who copies it enters the secret once more. */
const withoutSecret = (stored: Record<string, unknown>) => ({ ...stored, secretKey: '' });
/** Who may not choose the bucket makes a copy that lies where the settings say. */
const withoutPlace = (stored: Record<string, unknown>) => ({ ...stored, ...place.parse({}) });

const editors: FieldSurroundings = {
  ...profileFields,
  editors: { ...profileFields.editors, targetSecret: TargetSecretField },
};

/** The words name placeholders of prefixes, which are not those of messages. */
const verbatim = { skipInterpolation: true };

/** The form of a policy of archiving. */
export const ArchivingProfileScreen = () => <ProfilePage kind="archiving" form={ArchivingProfileForm} />;

function ArchivingProfileForm({ action, id }: ProfileFormProps) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const mayChooseBucket = may('settings.archiving.manage');
  const held = useProfileForm({
    action,
    id,
    path: '/archiving',
    routes: archivingProfileRoutes,
    schema: archivingFormSchema,
    initial: freshSettings,
    today: action !== 'copy' ? withSecret : mayChooseBucket ? withoutSecret : withoutPlace,
    // What is wrong with the name of a bucket is said while it is typed.
    mode: 'onChange',
  });
  const { form } = held;
  const isReadOnly = action === 'view' || !may('archiving.manage');
  const isBucketReadOnly = isReadOnly || !mayChooseBucket;
  const words = useMemo((): SettingsWords => {
    const word = (key: string) => (i18n.exists(key) ? i18n.t(key, verbatim) : undefined);
    return {
      label: (setting) => word(`archiving.settings.${setting}`) ?? setting,
      help: (setting) => word(`archiving.settings.${setting}.hint`),
      option: (setting, value) => word(`archiving.settings.${setting}.${value}`) ?? value,
    };
  }, [i18n]);
  return (
    <FieldSurroundings value={{ ...editors, ...faultsOf(form) }}>
      <ProfileFrame
        kind="archiving"
        held={held}
        isReadOnly={isReadOnly}
        nameOf={(setting) => words.label(setting.replace(/^settings\./, ''))}
      >
        <AboutCard form={form} />
        <SectionCard title={t('archiving.rules')} text={t('archiving.rulesText')}>
          <ProfileSettings form={form} shape={rulesShape} words={words} isReadOnly={isReadOnly} />
          <WorkflowsField control={controlOf(form)} isReadOnly={isReadOnly} />
        </SectionCard>
        <SectionCard
          title={t('archiving.place')}
          text={t(isReadOnly || mayChooseBucket ? 'archiving.placeText' : 'archiving.placeClosed')}
        >
          <Stack>
            <ProfileSettings form={form} shape={placeShape} words={words} isReadOnly={isBucketReadOnly} />
            {!isBucketReadOnly && (
              <ArchiveTest
                test={() => {
                  const held = form.getValues('settings');
                  const body = Object.fromEntries(placeNames.map((name) => [name, String(held[name] ?? '')]));
                  return call(archivingRoutes.test, { body: { ...body, ...(action === 'edit' && id && { id }) } });
                }}
              />
            )}
          </Stack>
        </SectionCard>
      </ProfileFrame>
    </FieldSurroundings>
  );
}

/** The workflows of the policy by their names. */
function WorkflowsField({ control, isReadOnly }: { control: ReturnType<typeof controlOf>; isReadOnly: boolean }) {
  const { t } = useTranslation();
  const mayChoose = useMay()('workflows.view');
  const list = useCall(workflowRoutes.list, { query: { pageSize: 100 } }, { enabled: mayChoose });
  const { field } = useController({ control, name: 'settings.workflowIds' });
  const chosen = Array.isArray(field.value) ? field.value.map(String) : [];
  const options = (list.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  // One that is not on the page of the list keeps its place.
  const others = chosen
    .filter((id) => !options.some(({ value }) => value === id))
    .map((value) => ({ value, label: value }));
  return (
    <MultiSelect
      mt="md"
      label={t('archiving.settings.workflowIds')}
      description={t('archiving.settings.workflowIds.hint')}
      data={[...options, ...others]}
      value={chosen}
      onChange={field.onChange}
      onBlur={field.onBlur}
      disabled={isReadOnly || !mayChoose}
      searchable
      clearable
    />
  );
}
