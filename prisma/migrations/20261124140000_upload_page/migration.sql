-- Visits of people without an account to an upload page.
-- CreateTable
CREATE TABLE "upload_visits" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "organization_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "reference" TEXT NOT NULL,
    "receipt" JSONB,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "upload_visits_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "upload_visits_secret_hash_key" ON "upload_visits"("secret_hash");

-- CreateIndex
CREATE INDEX "upload_visits_subscriber_id_organization_id_idx" ON "upload_visits"("subscriber_id", "organization_id");

-- CreateIndex
CREATE INDEX "upload_visits_expires_at_idx" ON "upload_visits"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "upload_visits_subscriber_id_id_key" ON "upload_visits"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "upload_visits_subscriber_id_reference_key" ON "upload_visits"("subscriber_id", "reference");

-- AddForeignKey
ALTER TABLE "upload_visits" ADD CONSTRAINT "upload_visits_subscriber_id_organization_id_fkey" FOREIGN KEY ("subscriber_id", "organization_id") REFERENCES "organizations"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "upload_visits" ADD CONSTRAINT "upload_visits_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('upload_visits');
