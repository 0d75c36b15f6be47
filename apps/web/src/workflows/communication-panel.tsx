import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useBuilder, useBuilt, useDraft } from './builder-store.ts';
import { useBuilderWords } from './builder-words.ts';
import { ProfileChoice } from './profile-field.tsx';
import { SidePanel } from './side-panel.tsx';

/** What is written about the workflow's sessions: a profile, until a route chooses another. */
export function CommunicationPanel() {
  const { t } = useTranslation();
  const builder = useBuilder();
  const words = useBuilderWords();
  const { communicationProfileId } = useDraft();
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  const issues = useBuilt((state) => state.issues);
  const error = issues
    .filter(({ field, stepId }) => field === 'communicationProfileId' && !stepId)
    .map(words.issue)
    .join(' ');
  return (
    <SidePanel title={t('builder.communication')}>
      <Stack gap="md">
        <ProfileChoice
          kind="communication"
          label={t('builder.communicationProfile')}
          help={t('builder.communicationText')}
          isRequired={false}
          chosen={communicationProfileId ?? null}
          error={error || undefined}
          isReadOnly={isReadOnly}
          onChoose={(id) => builder.setCommunication(id)}
        />
      </Stack>
    </SidePanel>
  );
}
