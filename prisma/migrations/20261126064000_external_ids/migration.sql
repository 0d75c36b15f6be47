-- The number that a sender's own system has for a session, to find it again by.
-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "external_id" TEXT;

-- CreateIndex
CREATE INDEX "sessions_subscriber_id_external_id_idx" ON "sessions"("subscriber_id", "external_id");
