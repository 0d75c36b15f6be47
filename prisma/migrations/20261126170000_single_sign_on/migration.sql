-- CreateTable
CREATE TABLE "user_identities" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_identities_pkey" PRIMARY KEY ("subscriber_id","issuer","subject")
);

-- CreateIndex
CREATE INDEX "user_identities_subscriber_id_user_id_idx" ON "user_identities"("subscriber_id", "user_id");

-- AddForeignKey
ALTER TABLE "user_identities" ADD CONSTRAINT "user_identities_subscriber_id_user_id_fkey" FOREIGN KEY ("subscriber_id", "user_id") REFERENCES "users"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_identities" ADD CONSTRAINT "user_identities_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('user_identities');
