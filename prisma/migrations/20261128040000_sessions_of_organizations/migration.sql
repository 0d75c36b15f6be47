-- A list of 100 000 sessions turns its pages in time, also narrowed to an organization or to the house's own sessions.
-- DropIndex
DROP INDEX "sessions_subscriber_id_organization_id_idx";

-- CreateIndex
CREATE INDEX "sessions_subscriber_id_organization_id_created_at_idx" ON "sessions"("subscriber_id", "organization_id", "created_at" DESC);
