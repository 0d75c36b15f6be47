import { type WorkflowVariable, workflowVariableSchema } from '@pdf2press/contract';
import { guardedFetch, openConnection, renewConnectionSecret, sourceAddress } from '@pdf2press/engine';
import type { SourceTools } from '@pdf2press/sources/contracts';
import type { PollInput } from '@pdf2press/sources/runners';
import { z } from 'zod';
import type { IntakeDeps } from './deps.ts';
import type { Inlet } from './inlets.ts';

/** Makes the function that stores what the source makes of its secret; each new one takes the place of the last. */
function renewalOf(deps: IntakeDeps, inlet: Inlet, given: unknown): SourceTools['renewSecret'] {
  const { subscriberId, connectionId = '' } = inlet;
  const profile = inlet.source.contract.connection?.profile ?? '';
  let before = given;
  return async (secret) => {
    await renewConnectionSecret(deps.engine, deps.keys, { subscriberId, connectionId, profile, before, secret });
    before = secret;
  };
}

const variablesSchema = z.array(workflowVariableSchema);

/** A version that an earlier release of the product published may hold others: then there are none. */
function variablesOf({ variables }: Inlet): WorkflowVariable[] {
  const read = variablesSchema.safeParse(variables);
  return read.success ? read.data : [];
}

/** What a source is given to be polled or watched: its settings, its connection in clear text, and its tools. */
interface OpenedSource extends Pick<PollInput, 'settings' | 'connection'> {
  tools: Omit<SourceTools, 'asked'>;
}

export async function openSource(deps: IntakeDeps, inlet: Inlet, memory: SourceTools['memory']): Promise<OpenedSource> {
  const { subscriberId, connectionId = '', settings } = inlet;
  const { connection: contract } = inlet.source.contract;
  const connection =
    contract &&
    (await openConnection(deps.engine, deps.keys, { subscriberId, connectionId, profile: contract.profile }));
  const tools: Omit<SourceTools, 'asked'> = {
    root: deps.env.hotFolderDir,
    memory,
    now: () => performance.now(),
    takesSidecars: inlet.takesSidecars,
    variables: variablesOf(inlet),
    addressOf: sourceAddress(deps.env.outboundAllowedHosts),
    fetch: guardedFetch(deps.env.outboundAllowedHosts),
    cloudApps: deps.env.cloudApps,
    renewSecret: renewalOf(deps, inlet, connection?.secret),
  };
  return { settings, connection, tools };
}
