-- A second factor may be passkeys alone.
ALTER TABLE "second_factors" ADD COLUMN     "app_confirmed_at" TIMESTAMPTZ(3),
ALTER COLUMN "secret_id" DROP NOT NULL;

-- The owner sees rows of no subscriber while row-level security is forced.
ALTER TABLE second_factors NO FORCE ROW LEVEL SECURITY;
UPDATE second_factors SET app_confirmed_at = confirmed_at;
ALTER TABLE second_factors FORCE ROW LEVEL SECURITY;

-- CreateTable
CREATE TABLE "passkeys" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL DEFAULT 0,
    "transports" TEXT[],
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys"("credential_id");

-- CreateIndex
CREATE INDEX "passkeys_subscriber_id_user_id_idx" ON "passkeys"("subscriber_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "passkeys_subscriber_id_id_key" ON "passkeys"("subscriber_id", "id");

-- AddForeignKey
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_subscriber_id_user_id_fkey" FOREIGN KEY ("subscriber_id", "user_id") REFERENCES "users"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('passkeys');
