-- The workflow's running numbers that a step uses: decided once, whichever attempt ends it.
ALTER TABLE "step_runs" ADD COLUMN     "counters" JSONB;

-- CreateTable
CREATE TABLE "workflow_counters" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "workflow_id" TEXT NOT NULL,
    "total" INTEGER NOT NULL,
    "day" TEXT NOT NULL,
    "daily" INTEGER NOT NULL,

    CONSTRAINT "workflow_counters_pkey" PRIMARY KEY ("subscriber_id","workflow_id")
);

-- AddForeignKey
ALTER TABLE "workflow_counters" ADD CONSTRAINT "workflow_counters_subscriber_id_workflow_id_fkey" FOREIGN KEY ("subscriber_id", "workflow_id") REFERENCES "workflows"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "workflow_counters" ADD CONSTRAINT "workflow_counters_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('workflow_counters');
