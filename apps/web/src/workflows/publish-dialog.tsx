import { Group, Modal, Stack, Text } from '@mantine/core';
import { type Workflow, workflowDefinitionSchema } from '@pdf2press/contract';
import { workflowRoutes } from '@pdf2press/contract/calls';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../client/queries.ts';
import { DialogFoot } from '../frame/dialog-foot.tsx';
import { useDraft } from './builder-store.ts';
import { DifferencesList } from './differences-list.tsx';
import type { Saving } from './saving.ts';
import { differencesOf } from './workflow-differences.ts';

const nothing = workflowDefinitionSchema.parse({});

/** What publishing changes against the version that is live, and how many sessions still run on it. */
export function PublishDialog({
  workflow,
  saving,
  onClose,
}: {
  workflow: Workflow;
  saving: Saving;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const draft = useDraft();
  const [isUnderway, setUnderway] = useState(false);
  const live = workflow.publishedVersion;
  const version = useCall(
    workflowRoutes.version,
    { params: { id: workflow.id, version: live ?? 1 } },
    { enabled: live !== null },
  );
  const usage = useCall(workflowRoutes.usage, { params: { id: workflow.id } });
  const before = live === null ? nothing : version.data?.definition;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('builder.publishTitle', { version: (live ?? 0) + 1 })}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          setUnderway(true);
          const isDone = await saving.publish();
          setUnderway(false);
          if (isDone) onClose();
        }}
      >
        <Stack>
          <div>
            <Text fw={600} mb={4}>
              {live === null ? t('builder.firstVersion') : t('builder.changesSince', { version: live })}
            </Text>
            {before && <DifferencesList differences={differencesOf(before, draft)} />}
          </div>
          {live !== null && (
            <Group>
              <Text size="sm" c="dimmed">
                {t('builder.openSessions', { count: usage.data?.openSessions ?? 0 })}
              </Text>
            </Group>
          )}
          <DialogFoot onClose={onClose} act={t('builder.publish')} isUnderway={isUnderway} hasFocus />
        </Stack>
      </form>
    </Modal>
  );
}
