import { problem } from '@pdf2press/contract';
import type { SubscriberContext } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { enqueueEffect } from '../effects/enqueue.ts';
import { readSettings } from '../secrets/settings.ts';
import { writeEvents } from '../sessions/events.ts';
import { command, type SessionCommand } from './session-commands.ts';

const begin =
  (action: 'archive' | 'unarchive', state: 'Archiving' | 'Unarchiving') =>
  (deps: EngineDeps, context: SubscriberContext, ask: SessionCommand): Promise<void> =>
    command(deps, context, ask, action, async (tx, session) => {
      const { archivingSettings } = await readSettings(tx, context.subscriberId);
      const { accessKey, bucketName, secretKey } = archivingSettings.config;
      if (!(accessKey && bucketName && secretKey) || (action === 'archive' && !archivingSettings.enabled))
        throw problem('archiving.notSetUp');
      await tx.$executeRaw`
        update sessions set archive_state = ${state}::archive_state, version = version + 1, updated_at = clock_timestamp()
         where id = ${session.id}`;
      const cause = `${action} ${session.id} ${session.version}`;
      await enqueueEffect(tx, { kind: action, key: cause, sessionId: session.id, payload: {} });
      await writeEvents(tx, [{ sessionId: session.id, runNo: session.runNo, kind: state, cause, actor: ask.by }]);
    });

/**
 * Starts moving the files of a finished session to the archive. @throws ProblemError `archiving.notSetUp` and those of
 * `command`
 */
export const archiveSession = begin('archive', 'Archiving');
/**
 * Starts bringing the files of an archived session back. @throws ProblemError `archiving.notSetUp` and those of `command`
 */
export const unarchiveSession = begin('unarchive', 'Unarchiving');
