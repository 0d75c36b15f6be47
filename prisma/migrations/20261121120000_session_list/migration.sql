-- A list of 100 000 sessions turns its pages in time, sorted by whatever column.
-- CreateIndex
CREATE INDEX "sessions_subscriber_id_file_name_id_idx" ON "sessions"("subscriber_id", "file_name", "id");

-- CreateIndex
CREATE INDEX "sessions_subscriber_id_source_name_id_idx" ON "sessions"("subscriber_id", "source_name", "id");

-- The same rule as before, said so that the planner can guess its share: of "x IS NULL OR …" over a setting it thinks that
-- nearly no row passes, and then prefers sorting the whole table to walking an index.
ALTER POLICY own_organizations ON sessions
  USING (NOT (coalesce(current_setting('app.organizations', true), '') > ''
              AND NOT coalesce(organization_id = ANY (current_organizations()), false)));
