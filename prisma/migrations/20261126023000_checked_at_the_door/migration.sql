-- A trial that somebody waits for goes before other work, like an urgent session; every other trial comes after it.
CREATE OR REPLACE FUNCTION place_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT workflow_id, coalesce(organization_id, ''), created_at, CASE WHEN is_trial AND priority = 0 THEN -1 ELSE priority END
    INTO NEW.workflow_id, NEW.organization_id, NEW.queued_at, NEW.priority
    FROM sessions WHERE sessions.subscriber_id = NEW.subscriber_id AND sessions.id = NEW.session_id;
  RETURN NEW;
END $$;
