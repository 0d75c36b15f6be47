import { Text } from '@mantine/core';
import type { Workflow } from '@pdf2press/contract';
import { workflowRoutes } from '@pdf2press/contract/calls';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { listenToSessions } from '../client/live.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import classes from './builder.module.css';
import { useBuilderWords } from './builder-words.ts';
import { inFlow } from './layout-graph.ts';

const WorkflowCanvas = lazy(async () => ({ default: (await import('./workflow-canvas.tsx')).WorkflowCanvas }));

/** Events come in bursts: the counts are asked for once in so long. */
const pauseMilliseconds = 1500;

/** The list of sessions that stand at a step of the workflow now. */
const sessionsAt = (workflowId: string, stepId: string): string =>
  `/workflows/sessions?${new URLSearchParams({ workflowId, stepId })}`;

/** The version that is live, with how many sessions stand at each step and since when the oldest of them does. */
export function LiveView({ workflow }: { workflow: Workflow }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const words = useBuilderWords();
  const live = workflow.publishedVersion;
  const version = useCall(
    workflowRoutes.version,
    { params: { id: workflow.id, version: live ?? 1 } },
    { enabled: live !== null },
  );
  const standing = useCall(workflowRoutes.standing, { params: { id: workflow.id } }, { refetchInterval: 30_000 });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = listenToSessions(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void invalidate(workflowRoutes.standing);
      }, pauseMilliseconds);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  const counts = useMemo(
    () => new Map((standing.data ?? []).map((one) => [one.stepId, one] as const)),
    [standing.data],
  );
  const notes = useMemo(
    () => new Map([...counts].map(([stepId, { sessions }]) => [stepId, t('builder.live.count', { count: sessions })])),
    [counts, t],
  );
  if (live === null)
    return (
      <div className={classes.empty}>
        <Text fw={600}>{t('builder.live.none')}</Text>
      </div>
    );
  const definition = version.data?.definition;
  if (!definition) return null;
  const order = inFlow(definition);
  // Sessions of earlier versions stand at steps that this one may not have.
  const others = [...counts.values()]
    .filter(({ stepId }) => !definition.steps.some(({ id }) => id === stepId))
    .reduce((sum, { sessions }) => sum + sessions, 0);
  return (
    <div className={classes.live}>
      <Suspense>
        <WorkflowCanvas
          definition={definition}
          notes={notes}
          onChoose={(stepId) => stepId && counts.has(stepId) && void navigate(sessionsAt(workflow.id, stepId))}
        />
      </Suspense>
      <aside className={classes.liveList} aria-label={t('builder.live.title')}>
        <Text component="h2" fw={600} mb={6}>
          {t('builder.live.title')}
        </Text>
        {counts.size === 0 && (
          <Text size="sm" c="dimmed">
            {t('builder.live.idle')}
          </Text>
        )}
        <ul className={classes.versions}>
          {order.flatMap((step) => {
            const here = counts.get(step.id);
            return here
              ? [
                  <li key={step.id}>
                    <Link to={sessionsAt(workflow.id, step.id)}>
                      {words.title(step)}: {t('builder.live.count', { count: here.sessions })}
                    </Link>
                    <Text size="xs" c="dimmed">
                      {t('builder.live.oldest')} <Ago at={here.oldestAt} />
                    </Text>
                  </li>,
                ]
              : [];
          })}
        </ul>
        {others > 0 && (
          <Text size="sm" c="dimmed">
            {t('builder.live.others', { count: others })}
          </Text>
        )}
      </aside>
    </div>
  );
}
