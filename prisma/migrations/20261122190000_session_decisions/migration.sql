-- What steps decide for the rest of a session.
ALTER TABLE "sessions" ADD COLUMN     "decisions" JSONB NOT NULL DEFAULT '{}';
