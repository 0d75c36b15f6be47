-- AlterTable
ALTER TABLE "effects" DROP COLUMN "was_unknown",
ADD COLUMN "unknown_count" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "blobs" ADD COLUMN "offloaded_at" TIMESTAMPTZ(3);
