-- AlterTable
ALTER TABLE "blobs" ADD COLUMN     "archive_keys" TEXT NOT NULL DEFAULT '';
