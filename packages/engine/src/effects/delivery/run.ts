import { DeliveryFaultError, FileFaultError } from '@pdf2press/contract';
import type { DeliveryTools, Parcel, StoredTarget } from '@pdf2press/deliveries/runners';
import type { Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../../deps.ts';
import { failpoint } from '../../failpoint.ts';
import { writeEvents } from '../../sessions/events.ts';
import { lockSession } from '../../sessions/session-row.ts';
import { keepProgress, LostEffectError } from '../progress.ts';
import { type ClaimedEffect, EffectError, type EffectRun } from '../run.ts';
import { type DeliveryMailer, mailToolsOf } from './mail-tools.ts';
import { type CloudDelivery, openCloudAccount } from './open-cloud.ts';
import { type NamedTarget, openDeliveryTarget, readTargetName } from './open-target.ts';
import { deliveryRootOf } from './root.ts';

export interface FileDelivery extends CloudDelivery {
  /** Folders of targets lie below this one. */
  root: string;
  addressOf: DeliveryTools['addressOf'];
  mailer: DeliveryMailer;
  /** @throws DeliveryFaultError */
  deliverFile(target: StoredTarget, parcel: Parcel): Promise<string>;
}

type Claimed = ClaimedEffect<'delivery'>;

const failed = (error: DeliveryFaultError, target: string) =>
  new EffectError([error.code, error.params.text].filter(Boolean).join(' '), {
    isFinal: error.isFinal,
    answer: { code: error.code, params: error.params, target },
    cause: error,
  });

/** A fault that is told to people, of whatever went wrong. Of programming errors the log has more. */
function faultOf(error: unknown): DeliveryFaultError {
  if (error instanceof DeliveryFaultError) return error;
  if (error instanceof FileFaultError && error.code === 'FILE_NOT_FOUND')
    return new DeliveryFaultError('delivery.fileGone', {}, { cause: error });
  const text = error instanceof Error ? error.message.slice(0, 200) : '';
  return new DeliveryFaultError('delivery.failed', { text }, { cause: error });
}

/** The target as it is now; refused where the file is not kept any more. */
const openFor = (deps: EngineDeps, { keys }: FileDelivery, { subscriberId, payload }: Claimed): Promise<NamedTarget> =>
  deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const file = await tx.file.findUnique({ where: { id: payload.file.id }, select: { removedAt: true } });
    if (!file || file.removedAt) throw new DeliveryFaultError('delivery.fileGone');
    return openDeliveryTarget(tx, keys, { subscriberId, id: payload.targetId });
  });

/** Writes into history what became of a delivery. A session that is deleted has no history any more. */
async function tell(
  tx: Transaction,
  { sessionId, key, epoch, payload: { name, runNo } }: Claimed,
  { kind, target }: { kind: 'Delivered' | 'DeliveryFailed'; target: string },
): Promise<boolean> {
  const session = sessionId === null ? undefined : await lockSession(tx, sessionId);
  if (!session || session.isDeleted) return false;
  const data = { name, target };
  await writeEvents(tx, [{ sessionId: session.id, runNo, kind, cause: `${key} ${kind} ${epoch}`, data }]);
  return true;
}

/**
 * Delivers files to targets. What a try must know of the one before lies in the effect's `progress`, and is written only by
 * the try that holds it.
 */
export const deliverFiles = (deps: EngineDeps, delivery: FileDelivery): EffectRun<'delivery'> => ({
  run: async (effect, signal) => {
    const { subscriberId, payload, key, epoch } = effect;
    let target = '';
    try {
      const opened = await openFor(deps, delivery, effect);
      target = opened.name;
      const root = await deliveryRootOf(deps, delivery.root, subscriberId);
      const { id: fileId, sha256, size, mediaType } = payload.file;
      const { sessionId } = effect;
      const file = sessionId === null ? null : { sessionId, fileId, name: payload.name, cause: key };
      const mail = mailToolsOf(deps, delivery.mailer, { subscriberId, effectId: effect.id, file, trier: null });
      const openCloud = (connectionId: string) =>
        openCloudAccount(deps, delivery, { subscriberId, connectionId, signal });
      const tools = { root, addressOf: delivery.addressOf, mail, openCloud };
      const kept = effect.progress as Parcel['placing'] | { sentTo: readonly string[] };
      const address = await deps.storage.withLocalPath({ subscriberId, sha256 }, (path) =>
        delivery.deliverFile(
          { settings: opened.settings, secret: opened.secret, tools, signal },
          {
            file: { path, sha256, size, mediaType },
            folder: payload.folder,
            name: payload.name,
            collision: payload.collision,
            key,
            tryNo: epoch,
            placing: kept && 'temporary' in kept ? kept : null,
            sentTo: kept && 'sentTo' in kept ? kept.sentTo : [],
            keep: async (note) => {
              await keepProgress(deps, effect, note);
              failpoint('afterProgress');
            },
          },
        ),
      );
      return {
        remoteRef: address,
        answer: { address },
        commit: async (tx) => {
          await tell(tx, effect, { kind: 'Delivered', target });
        },
      };
    } catch (error) {
      if (signal.aborted || error instanceof LostEffectError) throw error;
      const fault = faultOf(error);
      if (fault.code === 'delivery.failed')
        deps.log?.({ level: 'error', event: 'delivery.failed', data: { effect: effect.id }, error });
      throw failed(fault, target);
    }
  },
  onDead: async (tx, effect) => {
    const target = await readTargetName(tx, effect.payload.targetId);
    const isTold = await tell(tx, effect, { kind: 'DeliveryFailed', target });
    // A step that waits for it tells of it itself.
    return isTold && effect.stepRunId === null ? { file: effect.payload.name, target } : undefined;
  },
});
