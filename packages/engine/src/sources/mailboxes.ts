import type { EngineDeps } from '../deps.ts';

/** A mailbox that is looked into: its profile, and the workflow that its files go to. */
export interface Mailbox {
  subscriberId: string;
  connectionId: string;
  workflowId: string;
  /** The workflow's variables, as its published version holds them. */
  variables: unknown;
}

/** The mailboxes that are switched on and connected, and whose workflow takes mails. */
export const listMailboxes = (deps: EngineDeps): Promise<Mailbox[]> =>
  deps.database.asHost(
    (tx) => tx.$queryRaw<Mailbox[]>`
      select profile.subscriber_id as "subscriberId", profile.id as "connectionId", workflow.id as "workflowId",
             version.definition -> 'variables' as variables
        from profiles profile
        join profile_versions settings on settings.subscriber_id = profile.subscriber_id
              and settings.profile_id = profile.id and settings.no = profile.current_no
        join workflows workflow on workflow.subscriber_id = profile.subscriber_id
              and workflow.id = settings.settings ->> 'workflowId'
        join workflow_versions version on version.workflow_id = workflow.id and version.no = workflow.published_no
        join subscribers subscriber on subscriber.id = profile.subscriber_id
        join features feature on feature.subscriber_id = profile.subscriber_id and feature.feature_key = 'EmailInjection'
       where profile.kind = 'inboundEmail' and profile.deleted_at is null and profile.is_enabled and subscriber.is_active
         and settings.settings @> '{"isEnabled": true}' and settings.settings ->> 'secretId' is not null
         and workflow.is_enabled and workflow.deleted_at is null and not workflow.is_trial
         and not jsonb_path_exists(version.definition,
               '$.steps[*] ? (@.kind == "Inject").settings.ways ? (@.email == false)')`,
  );
