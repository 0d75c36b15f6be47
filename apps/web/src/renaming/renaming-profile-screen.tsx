import { nearestLocale } from '@pdf2press/contract';
import { renamingProfileRoutes } from '@pdf2press/contract/calls';
import { renameMessages, renameProfileSchema } from '@pdf2press/steps/rename-profile';
import { FieldSurroundings, type SettingsWords, shapeOf } from '@pdf2press/ui';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { AboutCard } from '../profiles/about-card.tsx';
import { type ProfileFormProps, ProfileFrame, ProfilePage } from '../profiles/profile-frame.tsx';
import { ProfileSettings } from '../profiles/profile-settings.tsx';
import { useProfileForm } from '../profiles/use-profile-form.ts';
import { profileFields } from '../rules/field-editors.tsx';
import { NamePreview } from './name-preview.tsx';

const shape = shapeOf(renameProfileSchema);
const freshSettings = (): Record<string, unknown> => ({ ...renameProfileSchema.parse({}) });

/** The words of the settings, which are those of the step that renames. */
function wordsIn(language: string): SettingsWords {
  const words = renameMessages[nearestLocale(language)];
  return {
    label: (setting) => words[`settings.${setting}`] ?? setting,
    help: (setting) => words[`settings.${setting}.hint`],
    option: (setting, value) => words[`settings.${setting}.${value}`] ?? value,
  };
}

/** The form of a profile for names of files: the rules, and what they make of real names. */
export const RenamingProfileScreen = () => <ProfilePage kind="renaming" form={RenamingProfileForm} />;

/** The form by itself: also in the drawer of the workflow builder. */
export function RenamingProfileForm({ action, id }: ProfileFormProps) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const held = useProfileForm({
    action,
    id,
    path: '/rename',
    routes: renamingProfileRoutes,
    schema: renameProfileSchema,
    initial: freshSettings,
  });
  const { form } = held;
  const isReadOnly = action === 'view' || !may('renaming.manage');
  const words = useMemo(() => wordsIn(i18n.language), [i18n.language]);
  return (
    <FieldSurroundings value={profileFields}>
      <ProfileFrame
        kind="renaming"
        held={held}
        isReadOnly={isReadOnly}
        // Indices of rows are left out.
        nameOf={(setting) => words.label(setting.replace(/^settings\./, '').replace(/\.\d+(?=\.)/g, ''))}
        aside={<NamePreview settings={form.watch('settings')} />}
      >
        <AboutCard form={form} />
        <SectionCard title={t('renaming.rules')} text={t('renaming.rulesText')}>
          <ProfileSettings form={form} shape={shape} words={words} isReadOnly={isReadOnly} />
        </SectionCard>
      </ProfileFrame>
    </FieldSurroundings>
  );
}
