-- AlterTable
ALTER TABLE "blobs" ADD COLUMN     "archive_prefix" TEXT NOT NULL DEFAULT 'archive/';

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "archive_not_before" TIMESTAMPTZ(3);

-- What policies look through.
CREATE INDEX sessions_to_archive ON sessions (subscriber_id, finished_at)
 WHERE archive_state = 'Unarchived' AND deleted_at IS NULL AND finished_at IS NOT NULL;
