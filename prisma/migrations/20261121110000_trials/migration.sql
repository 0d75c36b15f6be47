-- Trials: a profile's draft tried on a file. They run as sessions do and are shown nowhere but in the form that began them.
-- AlterTable
ALTER TABLE "workflows" ADD COLUMN "is_trial" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN "is_trial" BOOLEAN NOT NULL DEFAULT false;
