-- Which way an item came and from whom, and the parameters of its refusal: what a list of arrivals tells.
-- AlterTable
ALTER TABLE "ingest_items" ADD COLUMN     "reason_params" JSONB,
ADD COLUMN     "source_name" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "way" TEXT;

-- CreateIndex
CREATE INDEX "ingest_items_subscriber_id_created_at_idx" ON "ingest_items"("subscriber_id", "created_at" DESC);

-- Trials, pages of a divided file and what another workflow sent on came from nowhere.
UPDATE ingest_items item
   SET source_name = session.source_name,
       way = CASE
               WHEN item.source_kind = 'folder' THEN 'hotFolder'
               ELSE CASE session.source WHEN 'ManualInjected' THEN 'manual' WHEN 'PublicFileUpload' THEN 'uploadPage'
                      WHEN 'ExternalApi' THEN 'api' WHEN 'Email' THEN 'email' WHEN 'CloudFolder' THEN 'cloudFolder' END
             END
  FROM sessions session
 WHERE session.subscriber_id = item.subscriber_id AND session.id = item.session_id AND session.emptied_at IS NULL
   AND NOT session.is_trial AND session.source <> 'InjectedFromPreviousWorkflow'
   AND session.arrival #> '{part,pages}' IS NULL;
UPDATE ingest_items SET way = CASE source_kind WHEN 'folder' THEN 'hotFolder' ELSE 'email' END
 WHERE session_id IS NULL AND source_kind IN ('folder', 'email');
