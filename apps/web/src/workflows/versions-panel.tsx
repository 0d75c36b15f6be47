import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import type { Workflow, WorkflowDefinition } from '@pdf2press/contract';
import { workflowRoutes } from '@pdf2press/contract/calls';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { notify } from '../frame/toasts.tsx';
import classes from './builder.module.css';
import { useBuilder, useBuilt, useDraft } from './builder-store.ts';
import { DifferencesList } from './differences-list.tsx';
import { SidePanel } from './side-panel.tsx';
import { differencesOf } from './workflow-differences.ts';

const WorkflowCanvas = lazy(async () => ({ default: (await import('./workflow-canvas.tsx')).WorkflowCanvas }));

/** What stands for the draft where versions are chosen. */
const draftValue = 'draft';

/** The published versions: to look at, to compare with each other or with the draft, and to take back as the draft. */
export function VersionsPanel({ workflow }: { workflow: Workflow }) {
  const { t } = useTranslation();
  const builder = useBuilder();
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  const versions = useCall(workflowRoutes.versions, { params: { id: workflow.id } });
  const list = versions.data ?? [];
  const [seen, setSeen] = useState<number | null>(null);
  const restore = async (version: number) => {
    try {
      const { definition } = await call(workflowRoutes.version, { params: { id: workflow.id, version } });
      const { history } = builder.store.getState();
      builder.replace({ ...history.present, draft: definition }, { key: 'builder.did.restored', params: { version } });
      notify.success(t('builder.did.restored', { version }));
    } catch (error) {
      notify.failure(error);
    }
  };
  return (
    <SidePanel title={t('builder.versions')}>
      <Stack gap="md">
        {versions.data && list.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('workflows.neverPublished')}
          </Text>
        )}
        <ol className={classes.versions}>
          {list.map(({ version, publishedAt, publishedBy, sessionCount }) => (
            <li key={version}>
              <Text fw={600}>{t('workflows.version', { version })}</Text>
              <Text size="xs" c="dimmed">
                <Ago at={publishedAt} /> · {publishedBy} · {t('workflows.sessionCount', { count: sessionCount })}
              </Text>
              <Group gap={4} mt={4}>
                <Button size="compact-sm" variant="subtle" onClick={() => setSeen(version)}>
                  {t('builder.openVersion', { version })}
                </Button>
                {!isReadOnly && (
                  <Button size="compact-sm" variant="subtle" onClick={() => void restore(version)}>
                    {t('builder.restore', { version })}
                  </Button>
                )}
              </Group>
            </li>
          ))}
        </ol>
        {list.length > 0 && <Compare workflowId={workflow.id} versions={list.map(({ version }) => version)} />}
      </Stack>
      {seen !== null && <VersionView workflowId={workflow.id} version={seen} onClose={() => setSeen(null)} />}
    </SidePanel>
  );
}

function useDefinition(workflowId: string, version: string): WorkflowDefinition | undefined {
  const draft = useDraft();
  const isDraft = version === draftValue;
  const query = useCall(
    workflowRoutes.version,
    { params: { id: workflowId, version: isDraft ? 1 : Number(version) } },
    { enabled: !isDraft, staleTime: Number.POSITIVE_INFINITY },
  );
  return isDraft ? draft : query.data?.definition;
}

function Compare({ workflowId, versions }: { workflowId: string; versions: readonly number[] }) {
  const { t } = useTranslation();
  const [before, setBefore] = useState(String(versions[0]));
  const [after, setAfter] = useState(draftValue);
  const [one, other] = [useDefinition(workflowId, before), useDefinition(workflowId, after)];
  const data = [
    { value: draftValue, label: t('builder.draft') },
    ...versions.map((version) => ({ value: String(version), label: t('workflows.version', { version }) })),
  ];
  return (
    <Stack gap="xs">
      <Text component="h3" fw={600}>
        {t('builder.compare')}
      </Text>
      <Group grow wrap="nowrap">
        <Select
          label={t('builder.compareFrom')}
          data={data}
          value={before}
          allowDeselect={false}
          onChange={(next) => next && setBefore(next)}
        />
        <Select
          label={t('builder.compareTo')}
          data={data}
          value={after}
          allowDeselect={false}
          onChange={(next) => next && setAfter(next)}
        />
      </Group>
      {one && other && <DifferencesList differences={differencesOf(one, other)} />}
    </Stack>
  );
}

function VersionView({ workflowId, version, onClose }: { workflowId: string; version: number; onClose: () => void }) {
  const { t } = useTranslation();
  const definition = useDefinition(workflowId, String(version));
  return (
    <Modal
      opened
      onClose={onClose}
      size="min(1200px, 96vw)"
      title={t('workflows.version', { version })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <div className={classes.versionCanvas}>
        {definition && (
          <Suspense>
            <WorkflowCanvas definition={definition} />
          </Suspense>
        )}
      </div>
    </Modal>
  );
}
