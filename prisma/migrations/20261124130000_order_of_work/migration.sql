-- DropIndex
DROP INDEX "step_runs_status_lease_until_idx";

-- DropIndex
DROP INDEX "step_runs_status_ready_at_idx";

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "priority" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "step_runs" ADD COLUMN     "claimed_at" TIMESTAMPTZ(3),
ADD COLUMN     "organization_id" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "workflow_id" TEXT NOT NULL DEFAULT '';

-- What decides whose turn it is stands in the step, whoever makes it: the claim reads an index and no other table.
CREATE FUNCTION place_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT workflow_id, coalesce(organization_id, ''), created_at, CASE WHEN is_trial THEN -1 ELSE priority END
    INTO NEW.workflow_id, NEW.organization_id, NEW.queued_at, NEW.priority
    FROM sessions WHERE sessions.subscriber_id = NEW.subscriber_id AND sessions.id = NEW.session_id;
  RETURN NEW;
END $$;
CREATE TRIGGER place BEFORE INSERT ON step_runs FOR EACH ROW EXECUTE FUNCTION place_step();

-- Ended steps are never written again, and need no place.
UPDATE step_runs
   SET workflow_id = session.workflow_id, organization_id = coalesce(session.organization_id, ''), queued_at = session.created_at
  FROM sessions session
 WHERE session.subscriber_id = step_runs.subscriber_id AND session.id = step_runs.session_id
   AND step_runs.status IN ('Blocked', 'Ready', 'Running', 'Waiting');

-- The ready steps of each workflow and organization of a subscriber, in their order.
CREATE INDEX step_runs_turns ON step_runs (subscriber_id, priority, organization_id, workflow_id, queued_at, ready_at)
 WHERE status = 'Ready';
-- Whose turn it was last.
CREATE INDEX step_runs_claimed ON step_runs (claimed_at) WHERE claimed_at IS NOT NULL;
-- Indexes of the few rows of one status each: under row-level security the planner does not know how few they are.
CREATE INDEX step_runs_running ON step_runs (lease_until) WHERE status = 'Running';
-- What has waited longest, and what was rung for.
CREATE INDEX step_runs_due ON step_runs (ready_at) WHERE status = 'Ready' AND priority >= 0;
CREATE INDEX step_runs_due_trials ON step_runs (ready_at) WHERE status = 'Ready' AND priority < 0;
CREATE INDEX step_runs_rung ON step_runs (dispatched_at) WHERE status = 'Ready' AND dispatched_at IS NOT NULL;
-- Of the sweep: trials that were kept long enough.
CREATE INDEX sessions_trials ON sessions (created_at) WHERE is_trial AND deleted_at IS NULL;
