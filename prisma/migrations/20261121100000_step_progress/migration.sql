-- AlterTable
ALTER TABLE "step_runs" ADD COLUMN "progress" JSONB;
