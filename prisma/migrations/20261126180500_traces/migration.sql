-- The trace that a row was made in, as the transaction names it; null where traces are switched off.
CREATE FUNCTION current_trace() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('app.trace', true), '') $$;

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "trace" TEXT;
ALTER TABLE "sessions" ALTER COLUMN "trace" SET DEFAULT current_trace();

-- AlterTable
ALTER TABLE "effects" ADD COLUMN     "trace" TEXT;
ALTER TABLE "effects" ALTER COLUMN "trace" SET DEFAULT current_trace();
