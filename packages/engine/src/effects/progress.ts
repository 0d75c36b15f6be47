import { toJson } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import type { ClaimedEffect } from './run.ts';

/** The effect belongs to another worker by now, so nothing of this try is written. */
export class LostEffectError extends Error {
  override readonly name = 'LostEffectError';
}

/**
 * Writes down for the next try what this one is about to do; null = nothing.
 * @throws LostEffectError when another worker has taken the effect over
 */
export async function keepProgress(
  deps: EngineDeps,
  { subscriberId, id, epoch }: Pick<ClaimedEffect, 'subscriberId' | 'id' | 'epoch'>,
  progress: object | null,
): Promise<void> {
  const text = progress === null ? null : JSON.stringify(toJson(progress));
  const written = await deps.database.withSubscriber(
    { subscriberId },
    (tx) => tx.$executeRaw`
      update effects set progress = ${text}::jsonb where id = ${id} and epoch = ${epoch} and state = 'Sending'`,
  );
  if (written === 0) throw new LostEffectError();
}
