-- AlterTable
ALTER TABLE "blobs" ADD COLUMN     "archive_bucket" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "archive_region" TEXT NOT NULL DEFAULT '';
