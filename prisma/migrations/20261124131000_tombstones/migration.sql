-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "emptied_at" TIMESTAMPTZ(3);

-- What the collector looks for, however many sessions were deleted before.
CREATE INDEX sessions_to_empty ON sessions (deleted_at) WHERE deleted_at IS NOT NULL AND emptied_at IS NULL;

-- History goes with its session and never before: of a session that people still have, nobody removes a row.
GRANT DELETE ON session_events TO pdf2press_host;
CREATE FUNCTION guard_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM sessions WHERE sessions.id = OLD.session_id AND sessions.deleted_at IS NULL) THEN
    RAISE EXCEPTION 'the history of session % is kept', OLD.session_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER guard BEFORE DELETE ON session_events FOR EACH ROW EXECUTE FUNCTION guard_history();
