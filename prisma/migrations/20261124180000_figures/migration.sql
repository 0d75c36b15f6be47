-- Sums by day for the dashboard, each counted from the day's sessions, so that they can always be counted anew.
-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "measures" JSONB;

-- CreateTable
CREATE TABLE "summed_days" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "day" DATE NOT NULL,

    CONSTRAINT "summed_days_pkey" PRIMARY KEY ("subscriber_id","day")
);

-- CreateTable
CREATE TABLE "day_sums" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "workflow_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "outcomes" JSONB NOT NULL,
    "details" JSONB NOT NULL,

    CONSTRAINT "day_sums_pkey" PRIMARY KEY ("subscriber_id","day","workflow_id","organization_id")
);

-- CreateTable
CREATE TABLE "day_changes" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "id" BIGSERIAL NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "day_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "storage_days" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "day" DATE NOT NULL,
    "bytes" BIGINT NOT NULL,
    "measured_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "storage_days_pkey" PRIMARY KEY ("subscriber_id","day")
);

-- CreateIndex
CREATE INDEX "day_sums_subscriber_id_day_organization_id_idx" ON "day_sums"("subscriber_id", "day", "organization_id");

-- CreateIndex
CREATE INDEX "day_changes_subscriber_id_day_idx" ON "day_changes"("subscriber_id", "day");

-- AddForeignKey
ALTER TABLE "summed_days" ADD CONSTRAINT "summed_days_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "day_sums" ADD CONSTRAINT "day_sums_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "day_changes" ADD CONSTRAINT "day_changes_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "storage_days" ADD CONSTRAINT "storage_days_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('summed_days');
SELECT tenant_wall('day_sums');
SELECT organization_wall('day_sums');
SELECT tenant_wall('day_changes');
SELECT tenant_wall('storage_days');
GRANT USAGE ON SEQUENCE day_changes_id_seq TO pdf2press_app, pdf2press_host;

-- What days that are not summed are counted by.
CREATE INDEX sessions_figures ON sessions (subscriber_id, created_at) INCLUDE (status, workflow_id, organization_id)
 WHERE NOT is_trial;

-- A day is summed when it has been over for a day and an hour; a transaction that began a day after a session came marks
-- its day. What began before is over when the day is summed.
CREATE FUNCTION note_day_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO day_changes (subscriber_id, day) VALUES (NEW.subscriber_id, (NEW.created_at AT TIME ZONE 'UTC')::date);
  RETURN NULL;
END $$;
CREATE TRIGGER note_day_change AFTER UPDATE ON sessions FOR EACH ROW
  WHEN (NOT NEW.is_trial AND NEW.created_at < now() - interval '1 day'
        AND (OLD.status, OLD.workflow_id, OLD.organization_id) IS DISTINCT FROM (NEW.status, NEW.workflow_id, NEW.organization_id))
  EXECUTE FUNCTION note_day_change();
