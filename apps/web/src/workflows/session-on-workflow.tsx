import { Alert, Badge, Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Session, WorkflowDefinition } from '@pdf2press/contract';
import { workflowRoutes } from '@pdf2press/contract/calls';
import { IconFileTypePdf, IconVersions } from '@tabler/icons-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCall } from '../client/queries.ts';
import { overlayBreakpoint } from '../constants.ts';
import { Screen, stateOf } from '../frame/screen.tsx';
import { sessionPath } from '../sessions/session-row.tsx';
import { SessionStatusChip } from '../sessions/status.tsx';
import { useSession } from '../sessions/use-session.ts';
import { StepAside } from './step-aside.tsx';
import { StepList } from './step-list.tsx';
import classes from './workflows.module.css';

const WorkflowCanvas = lazy(async () => ({ default: (await import('./workflow-canvas.tsx')).WorkflowCanvas }));

/** The way that a session takes, on the version that it runs: never on the draft. */
export function SessionOnWorkflow({ id, sessionId }: { id: string; sessionId: string }) {
  const { t } = useTranslation();
  const session = useSession(sessionId);
  const version = session.data?.workflow.version;
  const query = useCall(
    workflowRoutes.version,
    { params: { id, version: version ?? 1 } },
    { enabled: version !== undefined },
  );
  const workflow = useCall(workflowRoutes.get, { params: { id } });
  const newest = workflow.data?.publishedVersion ?? null;
  const state = session.data ? stateOf(query) : stateOf(session);
  return (
    <Screen
      title={session.data?.workflow.name ?? t('nav.workflows')}
      back={{ to: sessionPath(sessionId), label: t('workflows.backToSession') }}
      aside={
        session.data && (
          <Group gap={8}>
            <Badge variant="light" color="neutral" tt="none">
              {t('workflows.version', { version: session.data.workflow.version })}
            </Badge>
            <SessionStatusChip status={session.data.status} />
          </Group>
        )
      }
      actions={
        session.data && (
          <Button
            component={Link}
            to={sessionPath(sessionId)}
            variant="default"
            leftSection={<IconFileTypePdf size={16} />}
          >
            {session.data.fileName}
          </Button>
        )
      }
      state={state}
    >
      {newest !== null && version !== undefined && newest > version && (
        <Alert color="info" variant="light" icon={<IconVersions size={20} />} role="status">
          {t('workflows.olderVersion', { version, newest })}
        </Alert>
      )}
      {query.data && session.data && <SessionGraph definition={query.data.definition} session={session.data} />}
    </Screen>
  );
}

/** The graph with the way that a session took; a chosen step shows what it did. */
export function SessionGraph({
  definition,
  session,
}: {
  definition: WorkflowDefinition;
  session?: Session | undefined;
}) {
  const { t } = useTranslation();
  const isWide = useMediaQuery(`(min-width: ${overlayBreakpoint}px)`, undefined, { getInitialValueInEffect: false });
  const [chosen, setChosen] = useState<string | null>(null);
  const runs = useMemo(() => session?.steps.filter((step) => step.runNumber === session.runNumber), [session]);
  return (
    <div className={`card ${classes.canvasCard}`}>
      <div className={classes.canvasRow}>
        <Suspense>
          <WorkflowCanvas definition={definition} runs={runs} chosen={chosen} onChoose={setChosen} />
        </Suspense>
        {session && chosen && <StepAside session={session} stepId={chosen} onClose={() => setChosen(null)} />}
      </div>
      {/* Where there is no room for a drawing, the list says it. */}
      <details className={classes.asList} open={!isWide}>
        <summary>{t('workflows.asList')}</summary>
        <StepList definition={definition} runs={runs} />
      </details>
    </div>
  );
}
