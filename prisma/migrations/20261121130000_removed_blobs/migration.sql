-- AlterTable
ALTER TABLE "blobs" ADD COLUMN "removed_at" TIMESTAMPTZ(3);
