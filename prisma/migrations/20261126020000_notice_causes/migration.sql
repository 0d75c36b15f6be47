-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "cause" TEXT,
ADD COLUMN     "ended_at" TIMESTAMPTZ(3);

-- One open notification to a person for each cause, however many processes find it at the same time.
CREATE UNIQUE INDEX notifications_open_causes ON notifications (subscriber_id, user_id, kind, cause)
 WHERE ended_at IS NULL AND cause IS NOT NULL;

-- The bell is read again by whoever has it open.
CREATE FUNCTION tell_of_notifications() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('pdf2press_notices', NEW.subscriber_id);
  RETURN NULL;
END $$;
CREATE TRIGGER notifications_told AFTER INSERT OR UPDATE ON notifications
  FOR EACH ROW EXECUTE FUNCTION tell_of_notifications();
