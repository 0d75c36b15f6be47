-- AlterTable
ALTER TABLE "ingest_items" ADD COLUMN     "asked_at" TIMESTAMPTZ(3);

-- The few that somebody has asked for and that were not found yet.
CREATE INDEX ingest_items_asked ON ingest_items (subscriber_id, source_kind) WHERE asked_at IS NOT NULL;
