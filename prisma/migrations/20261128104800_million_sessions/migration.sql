-- A list of a million sessions turns its pages in time, and tells how many there are of each status.

-- Nobody was helped by it: values of an enumeration are not compared in an index before row-level security has seen the row.
-- DropIndex
DROP INDEX "sessions_subscriber_id_status_created_at_idx";

-- CreateIndex
CREATE INDEX "sessions_subscriber_id_error_count_warning_count_id_idx" ON "sessions"("subscriber_id", "error_count", "warning_count", "id");

-- What counts are read from, without the rows. Sessions that are alike in all of it share an entry, so it is small; columns
-- behind INCLUDE would not.
CREATE INDEX sessions_live ON sessions (subscriber_id, status, workflow_id, organization_id, source)
 WHERE deleted_at IS NULL AND NOT is_trial;
CREATE INDEX sessions_on_hold ON sessions (subscriber_id, workflow_id, organization_id)
 WHERE status = 'OnHold' AND deleted_at IS NULL AND NOT is_trial;
