import { listCloudFolders } from '@pdf2press/engine';
import type { IntakeDeps } from './deps.ts';
import { type Inlet, inletOf } from './inlets.ts';

/** The inlets of the folders of cloud storages. */
export async function cloudFolders(deps: IntakeDeps): Promise<Inlet[]> {
  const source = deps.sources.get('cloud');
  if (!source) return [];
  const listed = await listCloudFolders(deps.engine);
  return listed.map(({ subscriberId, workflowId, ...settings }) => {
    // A folder that is given another workflow goes on where it was: it is the same place.
    const inlet = inletOf(source, { subscriberId, workflowId: '', settings });
    return { ...inlet, workflowId };
  });
}
