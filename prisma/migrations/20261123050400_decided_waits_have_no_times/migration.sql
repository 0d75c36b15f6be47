-- Earlier releases left the time limit of a hold with its decision. The next migration clears the times of waits that are over,
-- which the trigger that keeps decisions refuses: it stopped there wherever a hold with a time limit had been decided.
ALTER TABLE waits DISABLE TRIGGER USER;
UPDATE waits SET due_at = NULL WHERE due_at IS NOT NULL AND decided_at IS NOT NULL;
ALTER TABLE waits ENABLE TRIGGER USER;
