import {
  actionPermissions,
  type BulkAction,
  bulkActions,
  isActionOpen,
  mayAct,
  type SessionAction,
  type SessionListItem,
} from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import {
  IconArchive,
  IconArchiveOff,
  IconArrowFork,
  IconBan,
  IconChevronsDown,
  IconChevronsUp,
  IconDownload,
  IconFileUpload,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconPlayerStop,
  IconRotateClockwise,
  IconTrash,
  IconVariable,
} from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useHasFeature, useMay } from '../account/use-me.ts';
import { pathOf } from '../client/address.ts';
import { call, download } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';
import { invalidate } from '../client/queries.ts';
import { confirm } from '../frame/confirm.ts';
import { notify } from '../frame/toasts.tsx';
import { useOutcomes } from './outcomes.ts';

export const actionIcons = {
  stop: IconPlayerStop,
  resume: IconPlayerPlay,
  prioritize: IconChevronsUp,
  deprioritize: IconChevronsDown,
  continue: IconPlayerSkipForward,
  restart: IconRotateClockwise,
  replaceFile: IconFileUpload,
  reroute: IconArrowFork,
  overwriteVariables: IconVariable,
  cancel: IconBan,
  downloadResult: IconDownload,
  archive: IconArchive,
  unarchive: IconArchiveOff,
  delete: IconTrash,
} as const satisfies Record<SessionAction, unknown>;

const archiving: readonly SessionAction[] = ['archive', 'unarchive'];
const asks: readonly BulkAction[] = ['delete', 'restart', 'cancel'];
const dangerous: readonly SessionAction[] = ['delete', 'cancel'];
/** Whether the action loses something. */
export const isDangerous = (action: SessionAction): boolean => dangerous.includes(action);

type Acted = Pick<
  SessionListItem,
  'id' | 'fileName' | 'status' | 'archiveState' | 'isDeleted' | 'isStopped' | 'isUrgent' | 'hold'
> & {
  /** Of a session whose file was divided: a session's own page knows it. */
  parts?: object | null;
};

/** An action, and the reason if it is not possible now. */
export interface Offer<A extends SessionAction = SessionAction> {
  action: A;
  refusal: string | null;
}

/** The given actions for these sessions; by default those that work on several at once. */
export function useSessionActions<A extends SessionAction = BulkAction>(
  actions: readonly A[] = bulkActions as readonly SessionAction[] as readonly A[],
): (sessions: readonly Acted[]) => Offer<A>[] {
  const { t } = useTranslation();
  const may = useMay();
  const hasFeature = useHasFeature();
  return (sessions) =>
    actions
      .filter((action) => !archiving.includes(action) || hasFeature('Archiving'))
      .map((action) => {
        const permission = actionPermissions[action];
        const isPermitted = sessions.some(({ hold }) => mayAct(action, hold, may));
        const closed = sessions.filter((session) => !isActionOpen(action, session));
        const refusal = !isPermitted
          ? t('access.denied', { permission })
          : closed.length === sessions.length
            ? t('session.actionNotAllowed', {
                status: [...new Set(closed.map((session) => t(`status.${session.status}`)))].join(', '),
              })
            : null;
        return { action, refusal };
      });
}

const listed = (t: TFunction, sessions: readonly Acted[]): string =>
  sessions.length === 1 ? (sessions[0]?.fileName ?? '') : t('sessions.several', { count: sessions.length });

/** Runs an action on sessions, after confirmation if something is lost, and reports the results. False if not confirmed. */
export async function actOnSessions(t: TFunction, action: BulkAction, sessions: readonly Acted[]): Promise<boolean> {
  if (asks.includes(action)) {
    const dividesAgain = action === 'restart' && sessions.some(({ parts }) => parts);
    const isSure = await confirm({
      title: t(`sessions.ask.${action}.title`, { name: listed(t, sessions) }),
      text: dividesAgain
        ? t('sessions.ask.restart.divided')
        : t(`sessions.ask.${action}.text`, { count: sessions.length }),
      act: t(`sessions.action.${action}`),
      isDangerous: isDangerous(action),
    });
    if (!isSure) return false;
  }
  try {
    const results = await call(sessionRoutes.bulk, { body: { action, ids: sessions.map((session) => session.id) } });
    const problems = new Map(results.flatMap(({ id, success, error }) => (success ? [] : [[id, error] as const])));
    const problemOf = ({ id, status }: Acted): string | null => {
      if (!problems.has(id)) return null;
      const error = problems.get(id);
      // The message of the server contains the untranslated status.
      return error?.code === 'session.actionNotAllowed'
        ? t(error.code, { status: t(`status.${status}`) })
        : error?.message || t('error.unknown');
    };
    const outcomes = sessions.map((session) => ({ session, problem: problemOf(session) }));
    if (problems.size > 0 && sessions.length > 1) useOutcomes.setState({ told: { action, outcomes } });
    else for (const { session, problem } of outcomes) if (problem) notify.error(`${session.fileName}: ${problem}`);
    const done = sessions.filter((session) => !problems.has(session.id));
    if (done.length === sessions.length) notify.success(t(`sessions.done.${action}`, { name: listed(t, done) }));
    return done.length > 0;
  } catch (error) {
    notify.failure(error);
    // Someone else has changed the session: the new state is loaded.
    return error instanceof CallError && error.status === 409;
  } finally {
    await sessionsChanged();
  }
}

/** Actions that rows offer, each on several sessions at once. */
export type RowAction = BulkAction | 'downloadResult';
export const rowActions: readonly RowAction[] = ['downloadResult', ...bulkActions];

/** Carries out what a row offers; false if not confirmed. */
export const actOnRows = (t: TFunction, action: RowAction, sessions: readonly Acted[]): Promise<boolean> =>
  action === 'downloadResult' ? downloadResults(t, sessions) : actOnSessions(t, action, sessions);

/** Hands the results of those sessions to the browser that have one, several as a ZIP. */
export async function downloadResults(t: TFunction, sessions: readonly Acted[]): Promise<boolean> {
  const open = sessions.filter((session) => isActionOpen('downloadResult', session));
  const [first] = open;
  if (!first) return false;
  try {
    await download(
      sessions.length === 1
        ? pathOf(sessionRoutes.result, { id: first.id })
        : pathOf(sessionRoutes.results, {}, { ids: open.map(({ id }) => id) }),
    );
    if (open.length < sessions.length)
      notify.info(t('sessions.resultsOfSome', { got: open.length, total: sessions.length }));
    return true;
  } catch (error) {
    notify.failure(error);
    return false;
  }
}

/** Invalidates all cached answers about sessions. */
export const sessionsChanged = (): Promise<unknown> =>
  invalidate(sessionRoutes.list, sessionRoutes.get, sessionRoutes.events, sessionRoutes.pages);
