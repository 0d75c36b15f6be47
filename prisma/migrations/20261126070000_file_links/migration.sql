-- Links by which whoever has one fetches one delivered file, without an account.
-- CreateTable
CREATE TABLE "file_links" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "session_id" TEXT NOT NULL,
    "file_id" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "link_hash" BYTEA NOT NULL,
    "locale" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "file_links_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "file_links_link_hash_key" ON "file_links"("link_hash");

-- CreateIndex
CREATE INDEX "file_links_subscriber_id_session_id_idx" ON "file_links"("subscriber_id", "session_id");

-- CreateIndex
CREATE INDEX "file_links_subscriber_id_file_id_idx" ON "file_links"("subscriber_id", "file_id");

-- CreateIndex
CREATE UNIQUE INDEX "file_links_subscriber_id_id_key" ON "file_links"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "file_links_subscriber_id_cause_key" ON "file_links"("subscriber_id", "cause");

-- AddForeignKey
ALTER TABLE "file_links" ADD CONSTRAINT "file_links_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "file_links" ADD CONSTRAINT "file_links_subscriber_id_file_id_fkey" FOREIGN KEY ("subscriber_id", "file_id") REFERENCES "files"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "file_links" ADD CONSTRAINT "file_links_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('file_links');
SELECT session_wall('file_links');
