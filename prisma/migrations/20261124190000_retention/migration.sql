-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "final_due_at" TIMESTAMPTZ(3),
ADD COLUMN     "final_gone_at" TIMESTAMPTZ(3),
ADD COLUMN     "kept_until" TIMESTAMPTZ(3),
ADD COLUMN     "legal_hold" BOOLEAN,
ADD COLUMN     "source_due_at" TIMESTAMPTZ(3),
ADD COLUMN     "source_gone_at" TIMESTAMPTZ(3);

CREATE INDEX sessions_source_due ON sessions (source_due_at) WHERE source_due_at IS NOT NULL;
CREATE INDEX sessions_final_due ON sessions (final_due_at) WHERE final_due_at IS NOT NULL;

-- When files go follows from the row alone, whoever changes it. A day has 24 hours; 0 days are kept without a limit. Sessions
-- that ended before this release have no dates until something changes them: nothing goes by a decision that said it would not.
CREATE FUNCTION place_retention() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  policy jsonb := NEW.decisions -> 'retention';
  start timestamptz;
BEGIN
  IF NEW.run_no <> OLD.run_no THEN
    NEW.source_gone_at := NULL;
    NEW.final_gone_at := NULL;
  END IF;
  NEW.source_due_at := NULL;
  NEW.final_due_at := NULL;
  IF policy IS NULL OR NEW.is_trial OR NEW.deleted_at IS NOT NULL
     OR NEW.status NOT IN ('Completed', 'CompletedWithWarnings', 'Failed', 'CanceledByUser', 'CanceledByOperator', 'Rerouted')
  THEN
    RETURN NEW;
  END IF;
  start := CASE policy ->> 'start' WHEN 'created' THEN NEW.created_at WHEN 'lastTouched' THEN NEW.updated_at
                                   ELSE NEW.finished_at END;
  IF (policy ->> 'daysSource')::int > 0 AND NEW.source_gone_at IS NULL THEN
    NEW.source_due_at := greatest(start + (policy ->> 'daysSource')::int * interval '24 hours', NEW.kept_until);
  END IF;
  IF (policy ->> 'daysFinal')::int > 0 AND NEW.final_gone_at IS NULL THEN
    NEW.final_due_at := greatest(start + (policy ->> 'daysFinal')::int * interval '24 hours', NEW.kept_until);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER place_retention BEFORE UPDATE ON sessions FOR EACH ROW
  WHEN (NEW.decisions ? 'retention' OR OLD.decisions ? 'retention' OR NEW.run_no <> OLD.run_no)
  EXECUTE FUNCTION place_retention();
