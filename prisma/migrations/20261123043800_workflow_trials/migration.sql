-- A workflow's draft that is tried on files is kept as a version that is none: its number is below 0.
ALTER TABLE "workflow_versions" ADD COLUMN     "trial" JSONB;

-- The session of the past that a trial is compared with.
ALTER TABLE "sessions" ADD COLUMN     "trial_of_id" TEXT;

-- CreateIndex
CREATE INDEX "sessions_subscriber_id_trial_of_id_idx" ON "sessions"("subscriber_id", "trial_of_id");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_subscriber_id_trial_of_id_fkey" FOREIGN KEY ("subscriber_id", "trial_of_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
