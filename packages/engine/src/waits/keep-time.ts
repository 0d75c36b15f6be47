import { nearestLocale } from '@pdf2press/contract';
import type { Transaction } from '@pdf2press/prisma';
import { type EngineDeps, system } from '../deps.ts';
import { enqueueEffect } from '../effects/enqueue.ts';
import { failpoint } from '../failpoint.ts';
import { assigneeName, peopleOf } from '../sessions/assignees.ts';
import { writeEvents } from '../sessions/events.ts';
import { tell } from '../sessions/notices.ts';
import { closeNotices, lockSession, type SessionRow } from '../sessions/session-row.ts';
import { decideIn } from './decide.ts';

/** A wait of which a time has come: it ends, passes to somebody else, or its assignee is reminded. */
export interface DueWait {
  id: string;
  subscriberId: string;
  kind: string;
}

interface Times {
  stepRunId: string;
  assigneeId: string | null;
  escalateTo: string | null;
  onDue: string | null;
  isOver: boolean;
  escalates: boolean;
}

/** Writes a message to the people whose decision it is; how many. Trials write to nobody. */
async function writeTo(
  tx: Transaction,
  { wait, session, assigneeId }: { wait: DueWait; session: SessionRow; assigneeId: string },
  template: 'holdReminder' | 'holdEscalated',
): Promise<number> {
  const { fileName, organizationId, isTrial } = await tx.session.findUniqueOrThrow({
    where: { id: session.id },
    select: { fileName: true, organizationId: true, isTrial: true },
  });
  if (isTrial) return 0;
  const people = await peopleOf(tx, {
    to: { ids: [assigneeId] },
    organizationId,
  });
  for (const { email, firstName, lastName, locale } of people)
    await enqueueEffect(tx, {
      kind: 'mail',
      key: `mail ${wait.id} ${template} ${email}`,
      sessionId: session.id,
      payload: {
        template,
        to: email,
        name: `${firstName} ${lastName}`.trim() || email,
        locale: nearestLocale(locale),
        params: { file: fileName },
        path: `/workflows/session/${session.id}`,
      },
    });
  return people.length;
}

async function remindOrPassOn(
  tx: Transaction,
  { wait, session, times }: { wait: DueWait; session: SessionRow; times: Times },
): Promise<void> {
  const assigneeId = times.escalates ? times.escalateTo : times.assigneeId;
  await (times.escalates
    ? tx.$executeRaw`update waits set assignee_id = escalate_to, escalate_at = null, remind_at = null where id = ${wait.id}`
    : tx.$executeRaw`update waits set remind_at = null where id = ${wait.id}`);
  if (assigneeId === null) return;
  if (times.escalates) {
    await closeNotices(tx, times.stepRunId);
    const notice = {
      sessionId: session.id,
      stepRunId: times.stepRunId,
      to: { ids: [assigneeId] },
    };
    await tell(tx, { kind: 'hold.waiting', ...notice });
  }
  const template = times.escalates ? 'holdEscalated' : 'holdReminder';
  const people = await writeTo(tx, { wait, session, assigneeId }, template);
  await writeEvents(tx, [
    {
      sessionId: session.id,
      stepRunId: times.stepRunId,
      runNo: session.runNo,
      kind: times.escalates ? 'HoldEscalated' : 'HoldReminded',
      cause: `${wait.id} ${template}`,
      data: { waitId: wait.id, name: (await assigneeName(tx, assigneeId)) ?? assigneeId, people },
    },
  ]);
}

/**
 * Does what is due at a wait, once: its end before its escalation before its reminder. What was done is in the same
 * transaction as its cause, so a worker that is killed loses nothing and repeats nothing.
 */
export async function keepTime(deps: EngineDeps, wait: DueWait): Promise<void> {
  await deps.database.withSubscriber({ subscriberId: wait.subscriberId }, async (tx) => {
    const { sessionId } = await tx.wait.findUniqueOrThrow({ where: { id: wait.id }, select: { sessionId: true } });
    const session = await lockSession(tx, sessionId);
    const [times] = await tx.$queryRaw<Times[]>`
      select waits.step_run_id as "stepRunId", assignee_id as "assigneeId", escalate_to as "escalateTo",
             on_due as "onDue", coalesce(due_at <= clock_timestamp(), false) as "isOver",
             coalesce(escalate_at <= clock_timestamp(), false) as escalates
        from waits join step_runs step on step.id = waits.step_run_id and step.status = 'Waiting'
       where waits.id = ${wait.id} and decided_at is null
         and least(due_at, remind_at, escalate_at) <= clock_timestamp()`;
    if (!session || !times) return;
    if (times.isOver && times.onDue !== null)
      await decideIn(tx, { waitId: wait.id, decision: times.onDue, by: system });
    else await remindOrPassOn(tx, { wait, session, times });
    failpoint('insideWait');
  });
  failpoint('afterWait');
}
