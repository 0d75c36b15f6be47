import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { WorkflowStep } from '@pdf2press/contract';
import { IconAlertTriangle, IconCopy, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useBuilder, useBuilt, useDraft } from './builder-store.ts';
import { useBuilderWords } from './builder-words.ts';
import { ProfileField } from './profile-field.tsx';
import { SidePanel } from './side-panel.tsx';
import { StepConnections } from './step-connections.tsx';
import { StepIcon } from './step-icon.tsx';
import { kindWord, profileOf } from './step-kinds.ts';
import { useMayEditKind } from './step-permissions.ts';
import { StepSettings } from './step-settings.tsx';

/** The form of the step that is chosen. What is changed here is in the workflow at once. */
export function StepPanel() {
  const stepId = useBuilt((state) => (state.chosen.length === 1 ? state.chosen[0] : undefined));
  const step = useDraft().steps.find(({ id }) => id === stepId);
  return step ? <PanelOf key={step.id} step={step} /> : null;
}

function PanelOf({ step }: { step: WorkflowStep }) {
  const { t, i18n } = useTranslation();
  const builder = useBuilder();
  const words = useBuilderWords();
  const isDrawingReadOnly = useBuilt((state) => state.isReadOnly);
  const mayEdit = useMayEditKind();
  const isReadOnly = isDrawingReadOnly || !mayEdit(step.kind);
  const field = useBuilt((state) => state.field);
  const allIssues = useBuilt((state) => state.issues);
  const issues = allIssues.filter(({ stepId }) => stepId === step.id);
  const faultOf = (name: string) => {
    const issue = issues.find((one) => one.field === name);
    return issue ? words.issue(issue) : undefined;
  };
  // What has a field of its own is told there.
  const others = issues.filter((issue) => issue.field !== 'profileId');
  return (
    <SidePanel title={words.title(step)} icon={<StepIcon kind={step.kind} />} field={field}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {kindWord(step.kind, 'help', i18n.language)}
        </Text>
        {others.length > 0 && (
          <Alert color="error" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} py="xs">
            {others.map((issue) => (
              <div key={`${issue.code} ${issue.edgeId ?? ''} ${issue.field ?? ''}`}>
                {words.toldOf(issue, step.kind)}
              </div>
            ))}
          </Alert>
        )}
        <div data-field="name">
          <TextInput
            label={t('field.name')}
            placeholder={words.kind(step.kind)}
            value={step.name}
            maxLength={200}
            disabled={isReadOnly}
            onChange={(event) => builder.rename(step.id, event.currentTarget.value)}
          />
        </div>
        {profileOf(step.kind) && (
          <div data-field="profileId">
            <ProfileField step={step} error={faultOf('profileId')} isReadOnly={isReadOnly} />
          </div>
        )}
        <StepSettings step={step} isReadOnly={isReadOnly} />
        <StepConnections step={step} isReadOnly={isReadOnly} />
        {!isReadOnly && (
          <Group gap="xs" mt="xs">
            <Button
              variant="default"
              size="xs"
              leftSection={<IconCopy size={15} aria-hidden />}
              onClick={() => {
                const fragment = builder.copy([step.id]);
                if (fragment) builder.paste(fragment);
              }}
            >
              {t('builder.duplicate')}
            </Button>
            <Button
              variant="light"
              color="error"
              size="xs"
              leftSection={<IconTrash size={15} aria-hidden />}
              onClick={() => builder.remove([step.id])}
            >
              {t('builder.remove')}
            </Button>
          </Group>
        )}
      </Stack>
    </SidePanel>
  );
}
