-- CreateTable
CREATE TABLE "fonts" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "sha256" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "post_script_name" TEXT NOT NULL,
    "family" TEXT NOT NULL,
    "style" TEXT NOT NULL,
    "full_name" TEXT NOT NULL,
    "facts" JSONB NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "fonts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "fonts_subscriber_id_family_style_idx" ON "fonts"("subscriber_id", "family", "style");

-- CreateIndex
CREATE UNIQUE INDEX "fonts_subscriber_id_id_key" ON "fonts"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "fonts_subscriber_id_sha256_key" ON "fonts"("subscriber_id", "sha256");

-- AddForeignKey
ALTER TABLE "fonts" ADD CONSTRAINT "fonts_subscriber_id_sha256_fkey" FOREIGN KEY ("subscriber_id", "sha256") REFERENCES "blobs"("subscriber_id", "sha256") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "fonts" ADD CONSTRAINT "fonts_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('fonts');

-- Whoever sees, makes or deletes fix profiles does the same with the fonts that fixes embed.
-- The owner sees rows of no subscriber while row-level security is forced: a migration is about all of them.
ALTER TABLE roles NO FORCE ROW LEVEL SECURITY;
UPDATE roles SET permissions = permissions || ARRAY(
  SELECT 'fonts.' || act FROM unnest(ARRAY['view', 'manage', 'delete']) AS act
   WHERE 'fix.' || act = ANY (permissions) AND NOT 'fonts.' || act = ANY (permissions))
 WHERE permissions && ARRAY['fix.view', 'fix.manage', 'fix.delete'];
ALTER TABLE roles FORCE ROW LEVEL SECURITY;
