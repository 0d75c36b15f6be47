import path from 'node:path';
import type { EngineDeps } from '../../deps.ts';

/** The folder that a subscriber's targets lie in: the root itself for the first one, below it by id for every other. */
export async function deliveryRootOf(deps: EngineDeps, root: string, subscriberId: string): Promise<string> {
  const [first] = await deps.database.asHost(
    (tx) => tx.$queryRaw<{ id: string }[]>`select id from subscribers order by created_at, id limit 1`,
  );
  return first?.id === subscriberId ? root : path.join(root, subscriberId);
}
