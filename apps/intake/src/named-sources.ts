import { wayOfSource } from '@pdf2press/contract';
import { listPolledSources } from '@pdf2press/engine';
import type { IntakeDeps } from './deps.ts';
import { type Inlet, inletOf } from './inlets.ts';

/**
 * The inlets of the sources in the injection steps of published workflows; a kind that this release does not have and a way
 * in that is switched off are left out.
 */
export async function namedSources(deps: IntakeDeps): Promise<Inlet[]> {
  const named = await listPolledSources(deps.engine);
  return named.flatMap(({ kind, ways, ...at }) => {
    const source = deps.sources.get(kind);
    if (!source) return [];
    const { way, sessionSource, isNamedByConnection } = source.contract;
    if (isNamedByConnection) return [];
    return ways[way ?? wayOfSource[sessionSource]] ? [inletOf(source, at)] : [];
  });
}
