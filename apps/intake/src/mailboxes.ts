import { listMailboxes } from '@pdf2press/engine';
import type { IntakeDeps } from './deps.ts';
import { type Inlet, inletOf } from './inlets.ts';

/** The inlets of the mailboxes. */
export async function mailboxes(deps: IntakeDeps): Promise<Inlet[]> {
  const source = deps.sources.get('email');
  if (!source) return [];
  const listed = await listMailboxes(deps.engine);
  return listed.map(({ subscriberId, workflowId, connectionId, variables }) => {
    // A mailbox that gets another workflow goes on where it was: it is the same place.
    const inlet = inletOf(source, { subscriberId, workflowId: '', settings: { connectionId }, variables });
    return { ...inlet, workflowId };
  });
}
