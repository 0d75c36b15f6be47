import {
  actionPermissions,
  type BulkAction,
  bulkActions,
  isActionOpen,
  type SessionAction,
  type SessionListItem,
} from '@pdf2press/contract';
import { sessionRoutes } from '@pdf2press/contract/calls';
import {
  IconArchive,
  IconArchiveOff,
  IconArrowFork,
  IconBan,
  IconFileUpload,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconPlayerStop,
  IconRotateClockwise,
  IconTrash,
} from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useHasFeature, useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';
import { invalidate } from '../client/queries.ts';
import { confirm } from '../frame/confirm.ts';
import { notify } from '../frame/toasts.tsx';
import { useOutcomes } from './outcomes.ts';

export const actionIcons = {
  stop: IconPlayerStop,
  resume: IconPlayerPlay,
  continue: IconPlayerSkipForward,
  restart: IconRotateClockwise,
  replaceFile: IconFileUpload,
  reroute: IconArrowFork,
  cancel: IconBan,
  archive: IconArchive,
  unarchive: IconArchiveOff,
  delete: IconTrash,
} as const satisfies Record<SessionAction, unknown>;

const archiving: readonly SessionAction[] = ['archive', 'unarchive'];
const asks: readonly BulkAction[] = ['delete', 'restart', 'cancel'];
const dangerous: readonly SessionAction[] = ['delete', 'cancel'];
/** Whether something is lost by it. */
export const isDangerous = (action: SessionAction): boolean => dangerous.includes(action);

type Acted = Pick<SessionListItem, 'id' | 'fileName' | 'status' | 'archiveState' | 'isDeleted' | 'isStopped'>;

/** An action and the reason why it may not be used now. */
export interface Offer<A extends SessionAction = SessionAction> {
  action: A;
  refusal: string | null;
}

/** The actions there are for these sessions: those that many may take at once, unless others are asked for. */
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
        const isPermitted = may(permission);
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

/** Does an action with sessions, after asking where something is lost; tells how each ended. Answers whether it was done. */
export async function actOnSessions(t: TFunction, action: BulkAction, sessions: readonly Acted[]): Promise<boolean> {
  if (asks.includes(action)) {
    const isSure = await confirm({
      title: t(`sessions.ask.${action}.title`, { name: listed(t, sessions) }),
      text: t(`sessions.ask.${action}.text`),
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
      // The server names the status as it stands on the wire.
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
    // Someone else was faster: what they did is shown.
    return error instanceof CallError && error.status === 409;
  } finally {
    await sessionsChanged();
  }
}

/** What is shown of sessions is asked for again. */
export const sessionsChanged = (): Promise<unknown> =>
  invalidate(sessionRoutes.list, sessionRoutes.get, sessionRoutes.events, sessionRoutes.pages);
