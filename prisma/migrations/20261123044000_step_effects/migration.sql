-- A step may wait for effects; their answers are kept for it.
ALTER TABLE "effects" ADD COLUMN     "answer" JSONB,
ADD COLUMN     "step_run_id" TEXT;

-- CreateIndex
CREATE INDEX "effects_subscriber_id_step_run_id_idx" ON "effects"("subscriber_id", "step_run_id");
