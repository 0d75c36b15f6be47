import { cloudProviderSchema } from '@pdf2press/contract';
import { cloudStorageRoutes } from '@pdf2press/contract/calls';
import { cloudSettingsSchema } from '@pdf2press/sources/contracts';
import { FieldSurroundings, type SettingsWords, shapeOf } from '@pdf2press/ui';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { NotTakenCard } from '../arrivals/not-taken-card.tsx';
import { useCall } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { AboutCard } from '../profiles/about-card.tsx';
import { type ProfileFormProps, ProfileFrame, ProfilePage } from '../profiles/profile-frame.tsx';
import { ProfileSettings } from '../profiles/profile-settings.tsx';
import { faultsOf, useProfileForm } from '../profiles/use-profile-form.ts';
import { profileFields } from '../rules/field-editors.tsx';
import { CloudAccount } from './cloud-account.ts';
import { CloudTrial } from './cloud-trial.tsx';
import { ConnectCard } from './connect-card.tsx';
import { FoldersField } from './folders-field.tsx';

const path = '/cloud-storage';
const schema = cloudSettingsSchema;

/** The settings of each part of the form, in their order. */
const parts = {
  service: shapeOf(schema.pick({ isEnabled: true, provider: true, hasLibraries: true })),
  folders: shapeOf(schema.pick({ folders: true })),
  files: shapeOf(schema.pick({ after: true, stableSeconds: true, include: true, exclude: true })),
};

const editors: FieldSurroundings = {
  ...profileFields,
  editors: { ...profileFields.editors, cloudFolders: FoldersField },
};

const wordsOf = (t: TFunction, exists: (key: string) => boolean): SettingsWords => ({
  label: (setting) => t(`cloud.${setting}`),
  help: (setting) => (exists(`cloud.${setting}.hint`) ? t(`cloud.${setting}.hint`) : undefined),
  option: (setting, value) => t(`cloud.${setting}.${value}`),
});

/** The form of a cloud storage. */
export const CloudStorageScreen = () => <ProfilePage kind="cloudStorage" form={CloudStorageForm} />;

const freshSettings = (): Record<string, unknown> => schema.parse({});

/** What `settings.folders.0.workflowId` is called. */
const nameOf = (words: SettingsWords, setting: string): string =>
  words.label(setting.replace(/^settings\./, '').replace(/\.\d+/, ''));

function CloudStorageForm({ action, id }: ProfileFormProps) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const held = useProfileForm({ action, id, path, routes: cloudStorageRoutes, schema, initial: freshSettings });
  const { form } = held;
  const { data: states } = useCall(cloudStorageRoutes.states);
  const isReadOnly = action === 'view' || !may('cloudStorage.manage');
  const words = useMemo(() => wordsOf(t, (key) => i18n.exists(key)), [t, i18n]);
  const provider = cloudProviderSchema.catch('GoogleDrive').parse(form.watch('settings.provider'));
  const stored = action === 'edit' || action === 'view' ? states?.find((one) => one.id === id) : undefined;
  const state = stored?.provider === provider ? stored : undefined;
  const account = useMemo(() => ({ id: state && state.account !== null ? state.id : undefined }), [state]);
  const fields = (part: keyof typeof parts) => (
    <ProfileSettings form={form} shape={parts[part]} words={words} isReadOnly={isReadOnly} />
  );
  return (
    <FieldSurroundings value={{ ...editors, ...faultsOf(form) }}>
      <CloudAccount value={account}>
        <ProfileFrame
          kind="cloudStorage"
          held={held}
          isReadOnly={isReadOnly}
          nameOf={(setting) => nameOf(words, setting)}
        >
          <AboutCard form={form}>{fields('service')}</AboutCard>
          <ConnectCard
            {...{ action, held, provider, state, isReadOnly }}
            routes={cloudStorageRoutes}
            label={t(`cloud.provider.${provider}`)}
          >
            {!isReadOnly && <CloudTrial form={form} id={account.id} />}
          </ConnectCard>
          <SectionCard title={t('cloud.folders')} text={t('cloud.foldersText')}>
            {fields('folders')}
          </SectionCard>
          <SectionCard title={t('cloud.files')}>{fields('files')}</SectionCard>
          <NotTakenCard id={stored?.id} />
        </ProfileFrame>
      </CloudAccount>
    </FieldSurroundings>
  );
}
