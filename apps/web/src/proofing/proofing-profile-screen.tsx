import { Select } from '@mantine/core';
import { proofProfileSchema } from '@pdf2press/contract';
import { proofingProfileRoutes } from '@pdf2press/contract/calls';
import { FieldSurroundings } from '@pdf2press/ui';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { AboutCard } from '../profiles/about-card.tsx';
import { type ProfileFormProps, ProfileFrame, ProfilePage } from '../profiles/profile-frame.tsx';
import { ProfileSettings } from '../profiles/profile-settings.tsx';
import { useProfileForm } from '../profiles/use-profile-form.ts';
import { profileFields } from '../rules/field-editors.tsx';
import { ProofPreview } from './proof-preview.tsx';
import {
  freshSettings,
  type PresetKey,
  presetKeys,
  presetSettings,
  savedSettings,
  sectionKeys,
  sectionShape,
  settingsOfToday,
} from './proofing-settings.ts';
import { proofingWords } from './proofing-words.ts';

const path = '/proofing';

/** The form of a proof profile: who is asked, what is shown, what an answer needs. */
export const ProofingProfileScreen = () => <ProfilePage kind="proofing" form={ProofingProfileForm} />;

/** The form by itself: also in the drawer of the workflow builder. */
export function ProofingProfileForm({ action, id }: ProfileFormProps) {
  const { t } = useTranslation();
  const may = useMay();
  const held = useProfileForm({
    action,
    id,
    path,
    routes: proofingProfileRoutes,
    schema: proofProfileSchema,
    initial: freshSettings,
    today: settingsOfToday,
    asSaved: savedSettings,
  });
  const { form } = held;
  const isReadOnly = action === 'view' || !may('proofing.manage');
  const words = proofingWords(t);
  const [preset, setPreset] = useState<PresetKey | null>(null);
  const start = (key: PresetKey) => {
    form.setValue('settings', presetSettings(key, form.getValues('settings')), { shouldDirty: true });
    setPreset(key);
  };
  return (
    <FieldSurroundings value={profileFields}>
      <ProfileFrame
        kind="proofing"
        held={held}
        isReadOnly={isReadOnly}
        aside={<ProofPreview settings={form.watch('settings')} />}
        // Places in a list are left out.
        nameOf={(setting) => words.label(setting.replace(/^settings\./, '').replace(/\.\d+(?=\.|$)/g, ''))}
      >
        <AboutCard form={form}>
          {!isReadOnly && (
            <Select
              label={t('profiles.startFrom')}
              description={preset ? t(`proofing.presetText.${preset}`) : t('proofing.startFromText')}
              placeholder={t('profiles.startFromText')}
              data={presetKeys.map((key) => ({ value: key, label: t(`proofing.preset.${key}`) }))}
              value={preset}
              allowDeselect={false}
              onChange={(key) => key && start(key as PresetKey)}
            />
          )}
        </AboutCard>
        {sectionKeys.map((section) => (
          <SectionCard
            // A preset replaces whole lists, so their fields are made anew.
            key={`${section}/${preset}`}
            title={t(`proofing.section.${section}`)}
            text={t(`proofing.sectionText.${section}`)}
          >
            <ProfileSettings form={form} shape={sectionShape(section)} words={words} isReadOnly={isReadOnly} />
          </SectionCard>
        ))}
      </ProfileFrame>
    </FieldSurroundings>
  );
}
