import { workflowDefinitionSchema } from '@pdf2press/contract';
import type { SubscriberContext } from '@pdf2press/prisma';
import type { EngineDeps } from './deps.ts';

/** A place that a published workflow looks into for files. */
export interface PolledSource {
  /** The same for the same place as long as the workflow names it. */
  id: string;
  subscriberId: string;
  workflowId: string;
  kind: string;
  settings: Record<string, unknown>;
}

interface Row {
  subscriberId: string;
  workflowId: string;
  definition: unknown;
}

/** The places named by the injection steps of all enabled workflows, as published last. */
export async function listPolledSources(deps: EngineDeps): Promise<PolledSource[]> {
  const rows = await deps.database.asHost(
    (tx) => tx.$queryRaw<Row[]>`
      select workflow.subscriber_id as "subscriberId", workflow.id as "workflowId", version.definition
        from workflows workflow
        join workflow_versions version on version.workflow_id = workflow.id and version.no = workflow.published_no
        join subscribers subscriber on subscriber.id = workflow.subscriber_id
       where workflow.is_enabled and workflow.deleted_at is null and subscriber.is_active
         and jsonb_path_exists(version.definition, '$.steps[*].settings.sources[*]')`,
  );
  return rows.flatMap(({ subscriberId, workflowId, definition }) => {
    const { steps } = workflowDefinitionSchema.parse(definition);
    const sources = steps.flatMap(({ kind, settings }) =>
      kind === 'Inject' && Array.isArray(settings.sources) ? settings.sources : [],
    );
    return (sources as Pick<PolledSource, 'kind' | 'settings'>[]).map(({ kind, settings }) => ({
      id: `${workflowId} ${kind} ${JSON.stringify(settings)}`,
      subscriberId,
      workflowId,
      kind,
      settings,
    }));
  });
}

export interface NotTaken {
  kind: string;
  key: string;
  name: string;
  size: number;
  /** `Rejected`: for good. `Retry`: it will be tried again. */
  state: 'Rejected' | 'Retry';
  reason: string;
}

/** Writes down what was seen and not taken, so that nothing is skipped in silence. What was accepted stays accepted. */
export const noteNotTaken = (deps: EngineDeps, context: SubscriberContext, item: NotTaken): Promise<unknown> =>
  deps.database.withSubscriber(
    context,
    (tx) => tx.$executeRaw`
      insert into ingest_items (source_kind, source_key, state, reason, name, size, attempts)
      values (${item.kind}, ${item.key}, ${item.state}::ingest_state, ${item.reason}, ${item.name}, ${item.size}::bigint, 1)
      on conflict (subscriber_id, source_kind, source_key)
        do update set state = excluded.state, reason = excluded.reason, attempts = ingest_items.attempts + 1,
                      updated_at = clock_timestamp()
        where ingest_items.state <> 'Accepted'`,
  );
