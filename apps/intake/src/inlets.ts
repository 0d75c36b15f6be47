import { createHash } from 'node:crypto';
import type { NewInlet } from '@pdf2press/engine';
import type { PolledSource } from '@pdf2press/sources/runners';

/** A place that files come from, with the workflow that they go to. */
export interface Inlet extends NewInlet {
  source: PolledSource;
  /** As stored in the workflow; the kind's schema parses them in each poll. */
  settings: Readonly<Record<string, unknown>>;
  /** Whether the workflow reads values from files beside its own. */
  takesSidecars: boolean;
  /** The variables of the workflow, as its published version holds them. */
  variables: unknown;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The inlet of a source in a workflow. Its id is made from the settings that identify the place (the kind's
 * `placeSettings`), so that changing another setting keeps the cursor.
 */
export function inletOf(
  source: PolledSource,
  {
    subscriberId,
    workflowId,
    settings,
    takesSidecars = false,
    variables = [],
  }: {
    subscriberId: string;
    workflowId: string;
    settings: Readonly<Record<string, unknown>>;
    takesSidecars?: boolean;
    variables?: unknown;
  },
): Inlet {
  const { kind, connection, placeSettings = [] } = source.contract;
  const connectionId = connection ? textOf(settings.connectionId) : undefined;
  const place = placeSettings.map((name) => textOf(settings[name])).join(' ');
  const name = JSON.stringify([subscriberId, workflowId, kind, connectionId ?? null, place]);
  const id = `inl_${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  return { id, subscriberId, workflowId, kind, place, connectionId, source, settings, takesSidecars, variables };
}
