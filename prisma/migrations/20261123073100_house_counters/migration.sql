-- CreateTable
CREATE TABLE "house_counters" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "total" INTEGER NOT NULL,

    CONSTRAINT "house_counters_pkey" PRIMARY KEY ("subscriber_id")
);

-- AddForeignKey
ALTER TABLE "house_counters" ADD CONSTRAINT "house_counters_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('house_counters');
