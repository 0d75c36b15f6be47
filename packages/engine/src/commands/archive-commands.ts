import { archivingProfileSchema, problem } from '@pdf2press/contract';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { enqueueEffect } from '../effects/enqueue.ts';
import { readSettings } from '../secrets/settings.ts';
import { writeEvents } from '../sessions/events.ts';
import type { SessionRow } from '../sessions/session-row.ts';
import { archivingPolicyOf, filledPrefix } from '../workflows/archiving-policy.ts';
import { command, type SessionCommand } from './session-commands.ts';

/** Locks in how the session is archived: by the policy of its workflow, else by the defaults. */
async function rulesFor(tx: Transaction, sessionId: string) {
  const { workflow } = await tx.session.findUniqueOrThrow({
    where: { id: sessionId },
    select: { workflow: { select: { id: true, name: true } } },
  });
  const { files, prefix, storageClass } =
    (await archivingPolicyOf(tx, workflow.id)) ?? archivingProfileSchema.parse({});
  return { files, storageClass, prefix: filledPrefix(prefix, { workflow: workflow.name, now: new Date() }) };
}

/** @throws ProblemError `archiving.notSetUp` */
async function demandArchive(tx: Transaction, subscriberId: string, action: 'archive' | 'unarchive'): Promise<void> {
  const { archivingSettings } = await readSettings(tx, subscriberId);
  const { accessKey, bucketName, secretKey } = archivingSettings.config;
  if (!(accessKey && bucketName && secretKey) || (action === 'archive' && !archivingSettings.enabled))
    throw problem('archiving.notSetUp');
}

async function begin(
  tx: Transaction,
  session: SessionRow,
  { state, by }: { state: 'Archiving' | 'Unarchiving'; by: SessionCommand['by'] },
): Promise<string> {
  await tx.$executeRaw`
    update sessions set archive_state = ${state}::archive_state, version = version + 1, updated_at = clock_timestamp()
     where id = ${session.id}`;
  const cause = `${state === 'Archiving' ? 'archive' : 'unarchive'} ${session.id} ${session.version}`;
  await writeEvents(tx, [{ sessionId: session.id, runNo: session.runNo, kind: state, cause, actor: by }]);
  return cause;
}

/**
 * Starts moving the files of a finished session to the archive. @throws ProblemError `archiving.notSetUp` and those of
 * `command`
 */
export const archiveSession = (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
  command(deps, context, ask, 'archive', async (tx, session) => {
    await demandArchive(tx, context.subscriberId, 'archive');
    const key = await begin(tx, session, { state: 'Archiving', by: ask.by });
    const payload = await rulesFor(tx, session.id);
    await enqueueEffect(tx, { kind: 'archive', key, sessionId: session.id, payload });
  });

/**
 * Starts bringing the files of an archived session back. @throws ProblemError `archiving.notSetUp` and those of `command`
 */
export const unarchiveSession = (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
  command(deps, context, ask, 'unarchive', async (tx, session) => {
    await demandArchive(tx, context.subscriberId, 'unarchive');
    const key = await begin(tx, session, { state: 'Unarchiving', by: ask.by });
    await enqueueEffect(tx, { kind: 'unarchive', key, sessionId: session.id, payload: {} });
  });
