import { ActionIcon, Badge, Button, Group, SegmentedControl, TextInput } from '@mantine/core';
import type { Workflow } from '@pdf2press/contract';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconBuilding,
  IconCircleCheck,
  IconCopy,
  IconDownload,
  IconHistory,
  IconMap2,
  IconMessage,
  IconPower,
  IconTrash,
  IconUpload,
  IconVariable,
  IconWand,
  IconZoomIn,
} from '@tabler/icons-react';
import { lazy, memo, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { Hint } from '../frame/hint.tsx';
import { RowMenu } from '../frame/row-menu.tsx';
import { useOwnOrganizations } from '../organizations/use-own-organizations.ts';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import { openInjection } from '../uploads/injection.ts';
import classes from './builder.module.css';
import { useBuilder, useBuilt } from './builder-store.ts';
import { type BuilderTab, openTabs } from './builder-tabs.ts';
import type { Saving } from './saving.ts';

const acts = () => import('./workflow-acts.ts');

const OrganizationDialog = lazy(async () => ({
  default: (await import('./organization-dialog.tsx')).OrganizationDialog,
}));
const CopyDialog = lazy(async () => ({ default: (await import('./name-dialogs.tsx')).CopyDialog }));

interface Props {
  workflow: Workflow;
  saving: Saving;
  tab: BuilderTab;
  onTab: (tab: BuilderTab) => void;
  onPublish: () => void;
}

/** What the workflow is called, how it stands, and what can be done with the whole of it. */
export function BuilderHead({ workflow, saving, tab, onTab, onPublish }: Props) {
  const { t } = useTranslation();
  const builder = useBuilder();
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  const name = useBuilt((state) => state.history.present.name);
  const nameIssue = useBuilt((state) => state.issues.find(({ field, stepId }) => field === 'name' && !stepId)?.code);
  return (
    <header className={classes.head}>
      <ActionIcon
        component={Link}
        to="/workflows"
        variant="subtle"
        color="neutral"
        size="lg"
        aria-label={t('workflows.back')}
      >
        <IconArrowLeft size={20} aria-hidden />
      </ActionIcon>
      <h1 className="visually-hidden">{name || t('nav.workflows')}</h1>
      <TextInput
        className={classes.name}
        size="sm"
        aria-label={t('builder.name')}
        value={name}
        maxLength={200}
        disabled={isReadOnly}
        error={nameIssue ? t(nameIssue) : undefined}
        onChange={(event) => builder.setHead({ name: event.currentTarget.value })}
      />
      <Standing workflow={workflow} saving={saving} />
      <IssueCount />
      <Group gap={6} ms="auto" wrap="nowrap" className={classes.headActs}>
        {!isReadOnly && <EditActs />}
        <SegmentedControl
          size="xs"
          value={tab}
          onChange={(next) => onTab(next as BuilderTab)}
          data={openTabs(isReadOnly).map((value) => ({ value, label: t(`builder.tab.${value}`) }))}
          aria-label={t('builder.view')}
        />
        {!isReadOnly && (
          <>
            <Button
              variant="default"
              size="sm"
              loading={saving.state === 'saving'}
              data-idle={!saving.isDirty || undefined}
              onClick={() => void saving.save()}
            >
              {t('common.save')}
            </Button>
            <Button size="sm" onClick={onPublish}>
              {t('builder.publish')}
            </Button>
          </>
        )}
        <WholeMenu workflow={workflow} />
      </Group>
    </header>
  );
}

/** One honest word on whether what is seen is kept, and which version is live. */
function Standing({ workflow, saving }: { workflow: Workflow; saving: Saving }) {
  const { t } = useTranslation();
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  return (
    <Group gap={6} wrap="nowrap">
      {!isReadOnly && (
        <span className={classes.saveState} data-state={saving.state} role="status">
          {t(`builder.state.${saving.state}`)}
        </span>
      )}
      <Badge variant="light" color={workflow.publishedVersion === null ? 'warning' : 'neutral'} tt="none" fw={550}>
        {workflow.publishedVersion === null
          ? t('workflows.neverPublished')
          : t('workflows.version', { version: workflow.publishedVersion })}
      </Badge>
      {workflow.organization && (
        <Badge variant="light" color="info" tt="none" fw={550}>
          {workflow.organization.name}
        </Badge>
      )}
      {!workflow.isEnabled && (
        <Badge variant="light" color="neutral" tt="none" fw={550}>
          {t('workflows.off')}
        </Badge>
      )}
    </Group>
  );
}

const IssueCount = memo(function IssueCount() {
  const { t } = useTranslation();
  const builder = useBuilder();
  const count = useBuilt((state) => state.issues.length);
  const isFresh = useBuilt((state) => state.history.present.draft.steps.length === 0);
  const isOpen = useBuilt((state) => state.panel === 'issues');
  // Nothing is wrong yet with a canvas that nobody has drawn on.
  if (isFresh) return null;
  return (
    <Button
      size="compact-sm"
      variant="light"
      color={count > 0 ? 'error' : 'success'}
      aria-expanded={isOpen}
      leftSection={count > 0 ? <IconAlertTriangle size={15} aria-hidden /> : <IconCircleCheck size={15} aria-hidden />}
      onClick={() => builder.open(isOpen ? null : 'issues')}
    >
      {count > 0 ? t('builder.issues', { count }) : t('builder.noIssuesShort')}
    </Button>
  );
});

const EditActs = memo(function EditActs() {
  const { t } = useTranslation();
  const builder = useBuilder();
  const mayUndo = useBuilt((state) => state.history.past.length > 0);
  const mayRedo = useBuilt((state) => state.history.future.length > 0);
  const acts = [
    { key: 'undo', keys: 'Ctrl Z', icon: IconArrowBackUp, isOff: !mayUndo, act: () => builder.undo() },
    { key: 'redo', keys: 'Shift Ctrl Z', icon: IconArrowForwardUp, isOff: !mayRedo, act: () => builder.redo() },
    {
      key: 'tidy',
      keys: 'Shift L',
      icon: IconWand,
      isOff: false,
      act: () => void builder.tidy(),
    },
    {
      key: 'variables',
      keys: '',
      icon: IconVariable,
      isOff: false,
      act: () => builder.open(builder.store.getState().panel === 'variables' ? null : 'variables'),
    },
    {
      key: 'communication',
      keys: '',
      icon: IconMessage,
      isOff: false,
      act: () => builder.open(builder.store.getState().panel === 'communication' ? null : 'communication'),
    },
  ] as const;
  return (
    <Group gap={2} wrap="nowrap">
      {acts.map(({ key, keys, icon: Icon, isOff, act }) => (
        <Hint key={key} label={`${t(`builder.${key}`)}  ${keys}`}>
          <ActionIcon
            variant="subtle"
            color="neutral"
            size="lg"
            aria-label={t(`builder.${key}`)}
            aria-disabled={isOff || undefined}
            data-off={isOff || undefined}
            className={classes.act}
            onClick={act}
          >
            <Icon size={19} aria-hidden />
          </ActionIcon>
        </Hint>
      ))}
    </Group>
  );
});

/** What concerns the workflow as a whole and is not asked for every day. */
const WholeMenu = memo(function WholeMenu({ workflow }: { workflow: Workflow }) {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const builder = useBuilder();
  const { builderMap, scrollZooms } = usePreferences();
  const [isCopying, setCopying] = useState(false);
  const [isAssigning, setAssigning] = useState(false);
  const organizations = useOwnOrganizations();
  const mayInject = may('sessions.inject') && workflow.isEnabled && workflow.publishedVersion !== null;
  return (
    <>
      <RowMenu
        name={workflow.name}
        acts={() => [
          mayInject && { label: t('sessions.new'), icon: IconUpload, act: () => openInjection([], workflow.id) },
          { label: t('builder.versions'), icon: IconHistory, act: () => builder.open('versions') },
          {
            label: t(builderMap ? 'builder.hideMap' : 'builder.showMap'),
            icon: IconMap2,
            act: () => setPreferences({ builderMap: !builderMap }),
          },
          {
            label: t(scrollZooms ? 'builder.scrollMoves' : 'builder.scrollZooms'),
            icon: IconZoomIn,
            act: () => setPreferences({ scrollZooms: !scrollZooms }),
          },
          may('workflows.enable') && {
            label: t(workflow.isEnabled ? 'builder.disable' : 'builder.enable'),
            icon: IconPower,
            act: async () => (await acts()).setWorkflowEnabled(t, workflow, !workflow.isEnabled),
          },
          may('workflows.edit') &&
            (organizations?.items.length ?? 0) > 0 && {
              label: t('builder.organization'),
              icon: IconBuilding,
              act: () => setAssigning(true),
            },
          may('workflows.create') && { label: t('common.copyOf'), icon: IconCopy, act: () => setCopying(true) },
          {
            label: t('workflows.export'),
            icon: IconDownload,
            act: async () => (await acts()).exportWorkflow(workflow),
          },
          may('workflows.delete') && {
            label: t('common.delete'),
            icon: IconTrash,
            isDangerous: true,
            act: async () => {
              if (await (await acts()).removeWorkflow(t, workflow)) await navigate('/workflows');
            },
          },
        ]}
      />
      {isAssigning && (
        <Suspense>
          <OrganizationDialog workflow={workflow} onClose={() => setAssigning(false)} />
        </Suspense>
      )}
      {isCopying && (
        <Suspense>
          <CopyDialog workflow={workflow} onClose={() => setCopying(false)} />
        </Suspense>
      )}
    </>
  );
});
