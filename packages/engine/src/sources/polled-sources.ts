import { type WayIn, workflowDefinitionSchema } from '@pdf2press/contract';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import { injectSettingsOf } from '@pdf2press/steps/inject';
import type { EngineDeps } from '../deps.ts';

/** A source that the injection step of a published workflow names. */
export interface PolledSource {
  subscriberId: string;
  workflowId: string;
  kind: string;
  settings: Record<string, unknown>;
  /** Which ways into the workflow are open. */
  ways: Readonly<Record<WayIn, boolean>>;
  /** Whether it reads values from files beside those that come. */
  takesSidecars: boolean;
}

interface Row {
  subscriberId: string;
  workflowId: string;
  definition: unknown;
}

/** The sources named by the injection steps of the newest published versions of all enabled workflows. */
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
    const { sources, ways, takesSidecars } = injectSettingsOf(workflowDefinitionSchema.parse(definition));
    return sources.map(({ kind, settings }) => ({ subscriberId, workflowId, kind, settings, ways, takesSidecars }));
  });
}

/** Whether a file that could not be taken before must not be tried again yet. */
export const isItemWaiting = (
  deps: EngineDeps,
  context: SubscriberContext,
  { kind, key }: { kind: string; key: string },
): Promise<boolean> =>
  deps.database.withSubscriber(context, async (tx) => {
    const rows = await tx.$queryRaw<unknown[]>`
      select 1 from ingest_items
       where source_kind = ${kind} and source_key = ${key} and state = 'Retry' and next_at > clock_timestamp()`;
    return rows.length > 0;
  });

/**
 * Lets a file that was refused, or could not be taken yet, be tried at once: its source looks for it with its next poll. Asked
 * again before that, nothing changes. Who sees only some organizations asks for none.
 * @returns whether it is new that it is asked for, and its name; undefined where there is no such file, or it was taken
 */
export async function retryItem(
  tx: Transaction,
  { kind, key }: { kind: string; key: string },
): Promise<{ name: string; isNew: boolean } | undefined> {
  const [row] = await tx.$queryRaw<{ name: string; isNew: boolean }[]>`
    with item as (
      select * from ingest_items
       where source_kind = ${kind} and source_key = ${key} and state in ('Retry', 'Rejected') and way is not null
         and current_organizations() is null
         for update)
    update ingest_items set state = 'Retry', next_at = clock_timestamp(),
                            asked_at = coalesce(ingest_items.asked_at, clock_timestamp())
      from item
     where ingest_items.subscriber_id = item.subscriber_id and ingest_items.source_kind = item.source_kind
       and ingest_items.source_key = item.source_key
    returning item.name, item.asked_at is null as "isNew"`;
  if (row?.isNew)
    await tx.$executeRaw`
      update inlets set due_at = clock_timestamp() where kind = ${kind} and failing_since is null`;
  return row;
}

/** Files of a kind that people asked for: by their keys, with what they are called. */
export const askedItems = (
  deps: EngineDeps,
  context: SubscriberContext,
  kind: string,
): Promise<Map<string, { name: string; sourceName: string }>> =>
  deps.database.withSubscriber(context, async (tx) => {
    const rows = await tx.$queryRaw<{ key: string; name: string; sourceName: string }[]>`
      select source_key as key, name, source_name as "sourceName" from ingest_items
       where source_kind = ${kind} and asked_at is not null and state = 'Retry'
       order by asked_at limit 1000`;
    return new Map(rows.map(({ key, ...item }) => [key, item]));
  });
