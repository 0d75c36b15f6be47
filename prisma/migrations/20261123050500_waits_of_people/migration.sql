-- A wait may be somebody's, who is reminded of it, and may pass to somebody else. An id says itself whether it is a person's or
-- a role's.
ALTER TABLE "waits" ADD COLUMN     "assignee_id" TEXT,
ADD COLUMN     "escalate_at" TIMESTAMPTZ(3),
ADD COLUMN     "escalate_to" TEXT,
ADD COLUMN     "remind_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "waits_subscriber_id_assignee_id_idx" ON "waits"("subscriber_id", "assignee_id");

-- CreateIndex
CREATE INDEX "waits_remind_at_idx" ON "waits"("remind_at");

-- CreateIndex
CREATE INDEX "waits_escalate_at_idx" ON "waits"("escalate_at");

-- Until now these two answers were open in every hold and were not listed.
UPDATE waits SET allowed = allowed || '{replaceFile,reroute}' WHERE kind = 'hold' AND decided_at IS NULL;

-- A wait that is over has no times any more: those of sessions that had ended otherwise were found due again and again.
UPDATE waits SET due_at = NULL
 WHERE due_at IS NOT NULL
   AND (decided_at IS NOT NULL
        OR NOT EXISTS (SELECT 1 FROM step_runs WHERE step_runs.id = waits.step_run_id AND step_runs.status = 'Waiting'));
