import { newId, type Transaction, toJson } from '@pdf2press/prisma';
import type { Actor } from '../deps.ts';
import { type People, peopleOf } from './assignees.ts';

/** What people are told at the bell about a session; the contract's message of this name is the sentence. */
export const sessionNotices = [
  'hold.waiting',
  'proof.waiting',
  'proof.refused',
  'session.failed',
  'session.assigned',
  'session.mentioned',
] as const;
export type NoticeKind = (typeof sessionNotices)[number];

interface Notice {
  kind: NoticeKind;
  sessionId: string;
  /** Of a step that waits: the notice ends with it. */
  stepRunId?: string;
  /** Only those of them who may see the session are told. */
  to: People;
  /** Who caused it, and so is not told. */
  by?: Actor;
  /** More parameters of the sentence. */
  about?: Record<string, string>;
}

/** Tells people at the bell of something that concerns a session. Trials tell nobody. */
export async function tell(tx: Transaction, { kind, sessionId, stepRunId, to, by, about }: Notice): Promise<void> {
  const { fileName, organizationId, isTrial } = await tx.session.findUniqueOrThrow({
    where: { id: sessionId },
    select: { fileName: true, organizationId: true, isTrial: true },
  });
  if (isTrial) return;
  const people = await peopleOf(tx, { to, organizationId });
  const data = toJson({
    ...about,
    file: fileName,
    sessionId,
    ...(stepRunId && { stepRunId }),
    ...(by && { by: by.name }),
  });
  await tx.notification.createMany({
    data: people
      .filter(({ id }) => by?.kind !== 'user' || id !== by.id)
      .map(({ id: userId }) => ({
        id: newId('notification'),
        userId,
        kind,
        severity: kind === 'session.failed' ? 'Error' : 'Info',
        data,
      })),
  });
}

/** Marks as read what people were told of a session, because its cause is gone; without kinds, all of it. */
export const endNotices = (tx: Transaction, sessionId: string, kinds: readonly NoticeKind[] | 'all'): Promise<number> =>
  tx.$executeRaw`
    update notifications set read_at = clock_timestamp(), ended_at = clock_timestamp()
     where subscriber_id = current_subscriber() and read_at is null and data->>'sessionId' = ${sessionId}
       and (${kinds === 'all'} or kind = any(${kinds === 'all' ? [] : [...kinds]}))`;

/** Tells of a failed run: whose session it is, else who handed the file in, else everybody who may run it again. */
export async function tellOfFailure(tx: Transaction, sessionId: string): Promise<void> {
  const { assigneeId, createdBy } = await tx.session.findUniqueOrThrow({
    where: { id: sessionId },
    select: { assigneeId: true, createdBy: true },
  });
  const sender = createdBy as Partial<Actor> | null;
  const id = assigneeId ?? (sender?.kind === 'user' ? sender.id : undefined);
  await tell(tx, {
    kind: 'session.failed',
    sessionId,
    to: id === undefined ? { permission: 'sessions.restart' } : { ids: [id] },
  });
}
