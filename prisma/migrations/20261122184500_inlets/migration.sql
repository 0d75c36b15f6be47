-- What is known about each place that is polled. The table of cursors by profile had no rows: no code wrote it.
DROP TABLE "poll_cursors";

-- CreateTable
CREATE TABLE "inlets" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "workflow_id" TEXT NOT NULL,
    "connection_id" TEXT,
    "kind" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "cursor" JSONB,
    "lease_owner" TEXT,
    "lease_epoch" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failure_count" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "error_code" TEXT,
    "error_params" JSONB,
    "last_ok_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inlets_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "inlets_subscriber_id_workflow_id_idx" ON "inlets"("subscriber_id", "workflow_id");

-- CreateIndex
CREATE INDEX "inlets_subscriber_id_connection_id_idx" ON "inlets"("subscriber_id", "connection_id");

-- CreateIndex
CREATE UNIQUE INDEX "inlets_subscriber_id_id_key" ON "inlets"("subscriber_id", "id");

-- AddForeignKey
ALTER TABLE "inlets" ADD CONSTRAINT "inlets_subscriber_id_workflow_id_fkey" FOREIGN KEY ("subscriber_id", "workflow_id") REFERENCES "workflows"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "inlets" ADD CONSTRAINT "inlets_subscriber_id_connection_id_fkey" FOREIGN KEY ("subscriber_id", "connection_id") REFERENCES "profiles"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "inlets" ADD CONSTRAINT "inlets_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('inlets');
