-- Tokens that let pages of other sites show ours.
-- CreateTable
CREATE TABLE "embed_tokens" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "permissions" TEXT[],
    "origins" TEXT[],
    "created_by_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "embed_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "embed_tokens_hash_key" ON "embed_tokens"("hash");

-- CreateIndex
CREATE INDEX "embed_tokens_subscriber_id_created_by_id_idx" ON "embed_tokens"("subscriber_id", "created_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "embed_tokens_subscriber_id_id_key" ON "embed_tokens"("subscriber_id", "id");

-- AddForeignKey
ALTER TABLE "embed_tokens" ADD CONSTRAINT "embed_tokens_subscriber_id_created_by_id_fkey" FOREIGN KEY ("subscriber_id", "created_by_id") REFERENCES "users"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "embed_tokens" ADD CONSTRAINT "embed_tokens_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('embed_tokens');
