import { Alert, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { FeatureKey, Workflow } from '@pdf2press/contract';
import { systemRoutes, workflowRoutes } from '@pdf2press/contract/calls';
import { IconDeviceFloppy, IconUsers } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { overlayBreakpoint } from '../constants.ts';
import { Ago } from '../frame/ago.tsx';
import { LeaveQuestion } from '../frame/leave-question.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { notify } from '../frame/toasts.tsx';
import { useTitle } from '../frame/use-title.ts';
import classes from './builder.module.css';
import { BuilderHead } from './builder-head.tsx';
import { BuilderKeys } from './builder-keys.tsx';
import { BuilderProvider, createBuilder, editedOf, useBuilder, useBuilt, useFlow } from './builder-store.ts';
import { type BuilderTab, openTabs } from './builder-tabs.ts';
import { useBuilderWords } from './builder-words.ts';
import { EmptyHint } from './empty-hint.tsx';
import { forgetLocalDraft, useKeepingLocally, useLocalDraft } from './local-draft.ts';
import { elsewhereIdsOf, MadeForNow, ProfileNames, profileIdsOf, useProfiles } from './profile-names.ts';
import { useSaving } from './saving.ts';
import { StepPalette } from './step-palette.tsx';

// The canvas comes first; what is opened on it comes when it is opened.
const BuilderCanvas = lazy(async () => ({ default: (await import('./builder-canvas.tsx')).BuilderCanvas }));

const BuilderPickers = lazy(async () => ({ default: (await import('./builder-pickers.tsx')).BuilderPickers }));
const ConflictDialog = lazy(async () => ({ default: (await import('./conflict-dialog.tsx')).ConflictDialog }));
const IssuesPanel = lazy(async () => ({ default: (await import('./issues-panel.tsx')).IssuesPanel }));
const ListView = lazy(async () => ({ default: (await import('./list-view.tsx')).ListView }));
const PublishDialog = lazy(async () => ({ default: (await import('./publish-dialog.tsx')).PublishDialog }));
const CommunicationPanel = lazy(async () => ({
  default: (await import('./communication-panel.tsx')).CommunicationPanel,
}));
const StepPanel = lazy(async () => ({ default: (await import('./step-panel.tsx')).StepPanel }));
const VariablesPanel = lazy(async () => ({ default: (await import('./variables-panel.tsx')).VariablesPanel }));
const VersionsPanel = lazy(async () => ({ default: (await import('./versions-panel.tsx')).VersionsPanel }));
const TestView = lazy(async () => ({ default: (await import('./test-tab/test-view.tsx')).TestView }));
const OthersHere = lazy(async () => ({ default: (await import('./others-here.tsx')).OthersHere }));
const LiveView = lazy(async () => ({ default: (await import('./live-view.tsx')).LiveView }));

/** A workflow to draw: `edit` for whoever may, else to look at. */
export function BuilderScreen({ id, isView }: { id: string; isView: boolean }) {
  const { t } = useTranslation();
  const may = useMay();
  const query = useCall(workflowRoutes.get, { params: { id } });
  if (!query.data) return <Screen title={t('nav.workflows')} state={stateOf(query)} />;
  return <Loaded key={id} workflow={query.data} isReadOnly={isView || !may('workflows.edit')} />;
}

function Loaded({ workflow, isReadOnly }: { workflow: Workflow; isReadOnly: boolean }) {
  // The workflow as it was opened: what others save later is told, and does not change what is being drawn.
  const [builder] = useState(() => createBuilder(workflow, { isReadOnly }));
  const profiles = useProfiles();
  const madeFor = workflow.organization?.id ?? null;
  const names = useMemo(
    () => new Map(Object.values(profiles).flatMap((list) => (list ?? []).map(({ id, name }) => [id, name] as const))),
    [profiles],
  );
  const features = useCall(systemRoutes.features, undefined, { staleTime: 300_000 }).data;
  useEffect(() => {
    builder.setAround({
      profileIds: profileIdsOf(profiles),
      elsewhereIds: elsewhereIdsOf(profiles, madeFor),
      ...(features ? { features: new Set(features.map(({ featureKey }) => featureKey as FeatureKey)) } : {}),
    });
  }, [builder, profiles, features, madeFor]);
  useEffect(() => {
    // The canvas is painted first; browsers without idle callbacks wait for a moment.
    const later = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
    later(() => void builder.startChecks(), { timeout: 1000 });
  }, [builder]);
  return (
    <BuilderProvider value={builder}>
      <ProfileNames value={names}>
        <MadeForNow value={madeFor}>
          <Frame workflow={workflow} />
        </MadeForNow>
      </ProfileNames>
    </BuilderProvider>
  );
}

/** The builder around its stage. Long because it says which parts are there in which tab and panel. */
function Frame({ workflow }: { workflow: Workflow }) {
  const { t } = useTranslation();
  const builder = useBuilder();
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  const name = useBuilt((state) => state.history.present.name);
  const panel = useBuilt((state) => state.panel);
  const isEmpty = useFlow().steps.length === 0;
  const isWide = useMediaQuery(`(min-width: ${overlayBreakpoint}px)`, undefined, { getInitialValueInEffect: false });
  const [search, setSearch] = useSearchParams();
  const asked = openTabs(isReadOnly).find((tab) => tab === search.get('tab'));
  const tab: BuilderTab = asked ?? (isWide ? 'edit' : 'list');
  const saving = useSaving(builder);
  const [isPublishing, setPublishing] = useState(false);
  useTitle(name);
  useKeepingLocally(builder, saving.isDirty);
  const publish = () => {
    const { issues } = builder.store.getState();
    if (issues.length > 0) {
      builder.open('issues');
      return notify.error(t('workflow.invalid', { count: issues.length }));
    }
    setPublishing(true);
  };
  return (
    <section className={classes.screen}>
      <LeaveQuestion isAsked={saving.isDirty} />
      <BuilderKeys onSave={() => void saving.save()} />
      <BuilderHead
        workflow={workflow}
        saving={saving}
        tab={tab}
        onTab={(next) => setSearch((before) => withTab(before, next), { replace: true })}
        onPublish={publish}
      />
      <Notices workflow={workflow} />
      <div className={`card ${classes.body}`}>
        {tab === 'edit' && !isReadOnly && <StepPalette />}
        <div className={classes.stage}>
          {isEmpty && (tab === 'edit' || tab === 'list') && <EmptyHint />}
          <Suspense key={tab}>{views[tab](workflow)}</Suspense>
        </div>
        <Suspense>
          {tab !== 'live' && panel === 'step' && <StepPanel />}
          {tab !== 'live' && panel === 'issues' && <IssuesPanel />}
          {tab !== 'live' && panel === 'variables' && <VariablesPanel />}
          {tab !== 'live' && panel === 'communication' && <CommunicationPanel />}
          {panel === 'versions' && <VersionsPanel workflow={workflow} />}
        </Suspense>
      </div>
      <Voice />
      <Suspense>
        <BuilderPickers />
        {isPublishing && <PublishDialog workflow={workflow} saving={saving} onClose={() => setPublishing(false)} />}
        {saving.conflict && <ConflictDialog saving={saving} theirs={saving.conflict} />}
      </Suspense>
    </section>
  );
}

const views: Readonly<Record<BuilderTab, (workflow: Workflow) => ReactNode>> = {
  edit: () => <BuilderCanvas />,
  list: () => <ListView />,
  test: ({ id }) => <TestView workflowId={id} />,
  live: (workflow) => <LiveView workflow={workflow} />,
};

function withTab(search: URLSearchParams, tab: BuilderTab): URLSearchParams {
  const next = new URLSearchParams(search);
  next.set('tab', tab);
  return next;
}

/** What a visitor must know before going on: unsaved work of an earlier visit, and that somebody else saved. */
function Notices({ workflow }: { workflow: Workflow }) {
  const { t } = useTranslation();
  const builder = useBuilder();
  const isReadOnly = useBuilt((state) => state.isReadOnly);
  const revision = useBuilt((state) => state.revision);
  const saved = useBuilt((state) => state.saved);
  const [local, closeLocal] = useLocalDraft(workflow.id, saved);
  return (
    <>
      {isReadOnly && (
        <Alert color="info" variant="light" py="xs">
          {t('builder.viewOnly')}
        </Alert>
      )}
      {!isReadOnly && (
        <Suspense>
          <OthersHere workflowId={workflow.id} />
        </Suspense>
      )}
      {!isReadOnly && workflow.draftRevision > revision && (
        <Alert color="warning" variant="light" py="xs" icon={<IconUsers size={18} aria-hidden />} role="status">
          {t('builder.othersSaved')}{' '}
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              builder.settle(workflow);
              builder.replace(editedOf(workflow), { key: 'builder.did.tookTheirs' });
            }}
          >
            {t('builder.takeTheirs')}
          </Button>
        </Alert>
      )}
      {!isReadOnly && local && (
        <Alert color="info" variant="light" py="xs" icon={<IconDeviceFloppy size={18} aria-hidden />} role="status">
          {t('builder.localDraft')} <Ago at={local.at} />{' '}
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              builder.replace(local.edited, { key: 'builder.did.tookLocal' });
              closeLocal();
            }}
          >
            {t('builder.takeLocal')}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="neutral"
            onClick={() => {
              void forgetLocalDraft(workflow.id);
              closeLocal();
            }}
          >
            {t('builder.dropLocal')}
          </Button>
        </Alert>
      )}
    </>
  );
}

/** Says what was done, for those who do not see it; and every rule that was broken, for everybody. */
function Voice() {
  const { t } = useTranslation();
  const words = useBuilderWords();
  const said = useBuilt((state) => state.said);
  const refused = useBuilt((state) => state.refused);
  useEffect(() => {
    for (const code of refused?.codes ?? []) notify.error(t(code));
  }, [refused, t]);
  return (
    <span className="visually-hidden" role="status" aria-live="polite">
      {said && words.deed(said.deed)}
    </span>
  );
}
