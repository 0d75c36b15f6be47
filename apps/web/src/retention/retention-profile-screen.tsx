import { retentionProfileSchema } from '@pdf2press/contract';
import { retentionProfileRoutes } from '@pdf2press/contract/calls';
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
import { kindWord } from '../workflows/step-kinds.ts';

const shape = shapeOf(retentionProfileSchema);
const freshSettings = (): Record<string, unknown> => ({ ...retentionProfileSchema.parse({}) });

/** The words of the settings, which are those of the step that uses a policy. */
function wordsIn(language: string): SettingsWords {
  const word = (key: string) => kindWord('Retention', `settings.${key}`, language);
  return {
    label: (setting) => word(setting) ?? setting,
    help: (setting) => word(`${setting}.hint`),
    option: (setting, value) => word(`${setting}.${value}`) ?? value,
  };
}

/** The form of a retention policy. */
export const RetentionProfileScreen = () => <ProfilePage kind="retention" form={RetentionProfileForm} />;

/** The form by itself: also in the drawer of the workflow builder. */
export function RetentionProfileForm({ action, id }: ProfileFormProps) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const held = useProfileForm({
    action,
    id,
    path: '/retention',
    routes: retentionProfileRoutes,
    schema: retentionProfileSchema,
    initial: freshSettings,
  });
  const { form } = held;
  const isReadOnly = action === 'view' || !may('retention.manage');
  const words = useMemo(() => wordsIn(i18n.language), [i18n.language]);
  return (
    <ProfileFrame
      kind="retention"
      held={held}
      isReadOnly={isReadOnly}
      nameOf={(setting) => words.label(setting.replace(/^settings\./, ''))}
    >
      <AboutCard form={form} />
      <SectionCard title={t('retention.rules')} text={t('retention.rulesText')}>
        <FieldSurroundings value={profileFields}>
          <ProfileSettings form={form} shape={shape} words={words} isReadOnly={isReadOnly} />
        </FieldSurroundings>
      </SectionCard>
    </ProfileFrame>
  );
}
