import { listPolledSources } from '@pdf2press/engine';
import type { Inlet, IntakeDeps } from './deps.ts';

/** The places that the injection steps of published workflows name themselves. */
export async function namedSources(deps: IntakeDeps): Promise<Inlet[]> {
  const sources = await listPolledSources(deps.engine);
  return sources.map((source) => ({ ...source, root: deps.env.hotFolderDir }));
}
