import { Badge, Button, Group, Select, Switch, Text } from '@mantine/core';
import { type WorkflowSummary, workflowSorts } from '@pdf2press/contract';
import { workflowRoutes } from '@pdf2press/contract/calls';
import { IconCopy, IconDownload, IconPlus, IconSitemap, IconTrash, IconUpload } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { ExportButton } from '../frame/export-button.tsx';
import { useFocusBack } from '../frame/focus-back.ts';
import { JsonFileButton } from '../frame/json-file-button.tsx';
import { type ListAddress, listQuery, sortQuery, useListAddress } from '../frame/list-address.ts';
import { ListPager } from '../frame/list-pager.tsx';
import { ListSearch } from '../frame/list-search.tsx';
import { RowMenu } from '../frame/row-menu.tsx';
import { listState, Screen } from '../frame/screen.tsx';
import { useRowKeys } from '../frame/use-row-keys.ts';
import { MadeForFilter, madeForQuery } from '../organizations/made-for-list.tsx';
import { useMadeForQuestion } from '../organizations/made-for-question.tsx';
import { openInjection } from '../uploads/injection.ts';
import { GraphSketch } from './graph-sketch.tsx';
import { CopyDialog, NewDialog } from './name-dialogs.tsx';
import { exportWorkflow, importWorkflow, removeWorkflow, setWorkflowEnabled, workflowPath } from './workflow-acts.ts';
import classes from './workflows.module.css';

export function WorkflowsScreen() {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const address = useListAddress();
  const query = { ...listQuery(address), ...sortQuery(address, workflowSorts), ...madeForQuery(address) };
  const list = useCall(workflowRoutes.list, { query }, { placeholderData: keepPreviousData });
  const [isNew, setNew] = useState(false);
  const [copied, setCopied] = useState<WorkflowSummary | null>(null);
  useFocusBack(isNew || copied !== null);
  const mayCreate = may('workflows.create');
  const items = list.data?.items ?? [];
  useRowKeys(items.length, {
    ...(mayCreate ? { onNew: () => setNew(true) } : {}),
    ...(may('workflows.delete')
      ? {
          onDelete: (at: number) => {
            const workflow = items[at];
            if (workflow) void removeWorkflow(t, workflow);
          },
        }
      : {}),
  });

  const imported = useMadeForQuestion(async (file, organizationId) => {
    const made = await importWorkflow(t, file, organizationId);
    if (made) void navigate(workflowPath(made.id));
  });
  const actions = mayCreate && (
    <>
      <JsonFileButton label={t('workflows.import')} onChoose={imported.take} />
      <Button leftSection={<IconPlus size={16} />} onClick={() => setNew(true)}>
        {t('workflows.new')}
      </Button>
    </>
  );
  const state = listState(list, address, {
    icon: IconSitemap,
    title: t('workflows.empty'),
    text: t('workflows.emptyText'),
    action: actions,
  });
  return (
    <Screen
      title={t('nav.workflows')}
      actions={
        <>
          <ExportButton list={workflowRoutes.list} query={query} />
          {actions}
        </>
      }
      toolbar={
        <Group>
          <ListSearch address={address} label={t('workflows.search')} />
          <MadeForFilter address={address} />
          <SortSelect address={address} />
        </Group>
      }
      state={state}
    >
      <ul className={classes.grid}>
        {items.map((workflow, at) => (
          <WorkflowCard key={workflow.id} row={at} workflow={workflow} onCopy={() => setCopied(workflow)} />
        ))}
      </ul>
      <ListPager address={address} total={list.data?.total ?? 0} />
      {isNew && <NewDialog onClose={() => setNew(false)} />}
      {imported.dialog}
      {copied && <CopyDialog workflow={copied} onClose={() => setCopied(null)} />}
    </Screen>
  );
}

/** Cards have no heads of columns to sort by. */
function SortSelect({ address }: { address: ListAddress }) {
  const { t } = useTranslation();
  const [first] = workflowSorts;
  const { sort = first, direction = 'asc' } = sortQuery(address, workflowSorts);
  return (
    <Select
      aria-label={t('workflows.sort')}
      allowDeselect={false}
      data={workflowSorts.flatMap((by) =>
        (['asc', 'desc'] as const).map((way) => ({
          value: `${by} ${way}`,
          label: t(`workflows.sort.${by}.${way}`),
        })),
      )}
      value={`${sort} ${direction}`}
      onChange={(next) => {
        const [by, way] = (next ?? '').split(' ');
        address.change({ sort: by === first ? null : (by ?? null), direction: way === 'desc' ? 'desc' : null });
      }}
      style={{ flex: '0 1 240px' }}
    />
  );
}

function WorkflowCard({ row, workflow, onCopy }: { row: number; workflow: WorkflowSummary; onCopy: () => void }) {
  const { t } = useTranslation();
  const may = useMay();
  return (
    <li className={`card ${classes.card}`}>
      <GraphSketch sketch={workflow.sketch} label={t('workflows.sketch', { count: workflow.sketch.steps.length })} />
      <div className={classes.cardBody}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Link to={workflowPath(workflow.id)} className={classes.cardLink} data-row={row}>
            {workflow.name}
          </Link>
          <WorkflowMenu workflow={workflow} onCopy={onCopy} />
        </Group>
        {workflow.description && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {workflow.description}
          </Text>
        )}
        <Group gap={6} mt="auto" pt="xs">
          {workflow.organization && (
            <Badge variant="light" color="info" tt="none" fw={550}>
              {workflow.organization.name}
            </Badge>
          )}
          <Badge variant="light" color={workflow.publishedVersion === null ? 'warning' : 'neutral'} tt="none" fw={550}>
            {workflow.publishedVersion === null
              ? t('workflows.neverPublished')
              : t('workflows.version', { version: workflow.publishedVersion })}
          </Badge>
          {workflow.hasUnpublishedChanges && workflow.publishedVersion !== null && (
            <Badge variant="light" color="warning" tt="none" fw={550}>
              {t('workflows.changed')}
            </Badge>
          )}
          <Text size="xs" c="dimmed" className="tabular">
            {t('workflows.sessionCount', { count: workflow.sessionCount })} · <Ago at={workflow.updatedAt} />
          </Text>
          <Switch
            ms="auto"
            size="sm"
            aria-label={t('workflows.takesFiles', { name: workflow.name })}
            checked={workflow.isEnabled}
            disabled={!may('workflows.enable')}
            onChange={(event) => void setWorkflowEnabled(t, workflow, event.currentTarget.checked)}
          />
        </Group>
      </div>
    </li>
  );
}

function WorkflowMenu({ workflow, onCopy }: { workflow: WorkflowSummary; onCopy: () => void }) {
  const { t } = useTranslation();
  const may = useMay();
  return (
    <RowMenu
      name={workflow.name}
      acts={[
        may('sessions.inject') &&
          workflow.isEnabled &&
          workflow.publishedVersion !== null && {
            label: t('sessions.new'),
            icon: IconUpload,
            act: () => openInjection([], workflow.id),
          },
        may('workflows.create') && { label: t('common.copyOf'), icon: IconCopy, act: onCopy },
        { label: t('workflows.export'), icon: IconDownload, act: () => void exportWorkflow(workflow) },
        may('workflows.delete') && {
          label: t('common.delete'),
          icon: IconTrash,
          isDangerous: true,
          act: () => void removeWorkflow(t, workflow),
        },
      ]}
    />
  );
}
