import { listPolledSources } from '@pdf2press/engine';
import type { IntakeDeps } from './deps.ts';
import { type Inlet, inletOf } from './inlets.ts';

/**
 * The inlets of the sources in the injection steps of published workflows; a kind that this release does not have is left
 * out.
 */
export async function namedSources(deps: IntakeDeps): Promise<Inlet[]> {
  const named = await listPolledSources(deps.engine);
  return named.flatMap(({ kind, ...at }) => {
    const source = deps.sources.get(kind);
    return source ? [inletOf(source, at)] : [];
  });
}
