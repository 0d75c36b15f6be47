-- How a session's organization was decided; null for sessions without one and for those that began before this column.
CREATE TYPE "organization_decider" AS ENUM ('Workflow', 'Source', 'Caller');

ALTER TABLE "sessions" ADD COLUMN "organization_decided_by" "organization_decider";
