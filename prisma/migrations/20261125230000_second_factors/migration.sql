-- AlterTable
ALTER TABLE "roles" ADD COLUMN     "requires_second_factor" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "second_factors" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "user_id" TEXT NOT NULL,
    "secret_id" TEXT NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" INTEGER NOT NULL DEFAULT 0,
    "recovery_hashes" BYTEA[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("subscriber_id","user_id")
);

-- AddForeignKey
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_subscriber_id_user_id_fkey" FOREIGN KEY ("subscriber_id", "user_id") REFERENCES "users"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('second_factors');
