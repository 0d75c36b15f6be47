import { reachedQuotas } from '../plans/read-plan.ts';
import type { SubscriberAlarm } from './alarm.ts';

/** So many files of a workflow, and at least half of those that ended, make it worth a look. */
const manyFailed = 5;

/** Of the files that came in within the last two hours. */
export const workflowFailing: SubscriberAlarm = {
  of: 'subscriber',
  severity: 'Warning',
  tells: 'sessions.restart',
  leads: '/workflows/sessions?workflowId={id}&status=Failed',
  look: async (tx) => {
    const rows = await tx.$queryRaw<{ id: string; name: string; count: number }[]>`
      select workflow.id, workflow.name, recent.failed as count
        from (select workflow_id, (count(*) filter (where status = 'Failed'))::int as failed,
                     (count(*) filter (where status not in ('InQueue', 'Processing', 'OnHold')))::int as ended
                from sessions
               where subscriber_id = current_subscriber() and created_at > clock_timestamp() - interval '2 hours'
                 and not is_trial and deleted_at is null
               group by workflow_id) recent
        join workflows workflow on workflow.subscriber_id = current_subscriber() and workflow.id = recent.workflow_id
       where failed >= ${manyFailed} and failed * 2 >= ended and workflow.deleted_at is null`;
    return rows.map((params) => ({ id: params.id, params }));
  },
};

/** Messages that wait although they were tried several times: the server refuses, or does not answer. */
const manyTries = 3;

export const mailRefused: SubscriberAlarm = {
  of: 'subscriber',
  severity: 'Error',
  tells: 'settings.smtp.manage',
  leads: '/settings?tab=mail',
  look: async (tx) => {
    const count = await tx.effect.count({
      where: { kind: 'mail', state: { in: ['Pending', 'Sending'] }, attempt: { gte: manyTries } },
    });
    return count === 0 ? [] : [{ id: 'mail', params: { count } }];
  },
};

const faultOfQuota = { sessionsPerMonth: 'quota.sessions', storageBytes: 'quota.storage' } as const;

/** One for each limit of the plan that is used up and stops new files. */
export const quotaReached: SubscriberAlarm = {
  of: 'subscriber',
  severity: 'Error',
  tells: 'settings.general.manage',
  leads: '/settings?tab=storage',
  look: async (tx) =>
    (await reachedQuotas(tx)).map(({ key, limit }) => ({
      id: key,
      params: { fault: faultOfQuota[key], faultParams: { limit } },
    })),
};
