-- What a subscriber has with the installation, and what storage beyond it costs: each day keeps the terms of that day.
-- AlterTable
ALTER TABLE "subscribers" ADD COLUMN     "plan" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "storage_days" ADD COLUMN     "currency" TEXT NOT NULL DEFAULT 'USD',
ADD COLUMN     "included_bytes" BIGINT,
ADD COLUMN     "price_per_gb" DOUBLE PRECISION NOT NULL DEFAULT 0;

-- A subscriber reads its plan and cannot change it, whatever its code asks for.
REVOKE INSERT, UPDATE, DELETE ON subscribers FROM pdf2press_app;

-- Files that came by themselves: parts and what was sent on are not counted again.
CREATE INDEX sessions_counted ON sessions (subscriber_id, created_at) WHERE NOT is_trial AND parent_session_id IS NULL;
CREATE INDEX blobs_held ON blobs (subscriber_id) INCLUDE (size) WHERE removed_at IS NULL AND offloaded_at IS NULL;

-- Quotas belong to the whole house: whoever sees some organizations only is refused by the same number.
CREATE FUNCTION counted_sessions(owner text, since timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  organizations text := current_setting('app.organizations', true);
  counted bigint;
BEGIN
  PERFORM set_config('app.organizations', '', true);
  SELECT count(*) INTO counted FROM sessions
   WHERE subscriber_id = owner AND NOT is_trial AND parent_session_id IS NULL AND created_at >= since;
  PERFORM set_config('app.organizations', coalesce(organizations, ''), true);
  RETURN counted;
END $$;
