-- What was told before stays where it is: only later notifications go by mail and to web addresses.
-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "awaits_mail" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "awaits_hook" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "mailed_at" TIMESTAMPTZ(3);
ALTER TABLE "notifications" ALTER COLUMN "awaits_mail" SET DEFAULT true,
ALTER COLUMN "awaits_hook" SET DEFAULT true;

-- Looked through every few seconds.
CREATE INDEX notifications_awaiting ON notifications (subscriber_id, user_id) WHERE awaits_mail OR awaits_hook;
CREATE INDEX notifications_mailed ON notifications (subscriber_id, user_id, mailed_at) WHERE mailed_at IS NOT NULL;

-- The bell shows nothing of how a notification goes elsewhere.
DROP TRIGGER notifications_told ON notifications;
CREATE TRIGGER notifications_told AFTER INSERT OR UPDATE OF kind, data, ended_at, read_at ON notifications
  FOR EACH ROW EXECUTE FUNCTION tell_of_notifications();

CREATE INDEX effects_notice_calls ON effects (subscriber_id, created_at) WHERE kind = 'webhook' AND key LIKE 'webhook notices %';
