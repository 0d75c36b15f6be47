import type { EngineDeps } from '../deps.ts';

/** A folder of a cloud storage that is looked into, and the workflow that its files go to. */
export interface CloudFolderPlace {
  subscriberId: string;
  connectionId: string;
  workflowId: string;
  driveId: string;
  folderId: string;
}

/** The folders of the cloud storages that are switched on and connected, and whose workflow takes files from them. */
export const listCloudFolders = (deps: EngineDeps): Promise<CloudFolderPlace[]> =>
  deps.database.asHost(
    (tx) => tx.$queryRaw<CloudFolderPlace[]>`
      select profile.subscriber_id as "subscriberId", profile.id as "connectionId", workflow.id as "workflowId",
             folder ->> 'driveId' as "driveId", folder ->> 'folderId' as "folderId"
        from profiles profile
        join profile_versions settings on settings.subscriber_id = profile.subscriber_id
              and settings.profile_id = profile.id and settings.no = profile.current_no
       cross join jsonb_path_query(settings.settings, '$.folders[*]') as folder
        join workflows workflow on workflow.subscriber_id = profile.subscriber_id and workflow.id = folder ->> 'workflowId'
        join workflow_versions version on version.workflow_id = workflow.id and version.no = workflow.published_no
        join subscribers subscriber on subscriber.id = profile.subscriber_id
        join features feature on feature.subscriber_id = profile.subscriber_id and feature.feature_key = 'CloudInjection'
       where profile.kind = 'cloudStorage' and profile.deleted_at is null and profile.is_enabled and subscriber.is_active
         and settings.settings @> '{"isEnabled": true}' and settings.settings ->> 'secretId' is not null
         and workflow.is_enabled and workflow.deleted_at is null and not workflow.is_trial
         and not jsonb_path_exists(version.definition,
               '$.steps[*] ? (@.kind == "Inject").settings.ways ? (@.cloudFolder == false)')`,
  );
