-- Sessions are found by a part of a name among a million. `ILIKE` may not look into an index before row-level security has
-- seen the row, so whoever searched read all rows of the company.
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

CREATE INDEX sessions_words ON sessions
 USING gin (file_name gin_trgm_ops, source_name gin_trgm_ops, external_id gin_trgm_ops)
 WHERE deleted_at IS NULL AND NOT is_trial;
-- By the first letters of an id, in whatever order the database sorts texts.
CREATE INDEX sessions_id_prefix ON sessions (id text_pattern_ops) WHERE deleted_at IS NULL AND NOT is_trial;

-- The ids of sessions of the company that asks in which these words stand, or whose id begins with them; at most `most`. It
-- runs as its owner, who is not held by the wall, and keeps the company's wall itself; the rows of the ids are read behind all
-- walls. NULL where the index is of no use: it knows groups of three letters or digits; and where the owner is held by the wall,
-- too, as on a server whose owner is no superuser. Then the words are looked for without an index.
-- It is planned for the words of each call: a plan for any words takes them for frequent ones, and reads all rows.
CREATE FUNCTION found_sessions(words text, most int) RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER
 SET search_path = public SET plan_cache_mode = force_custom_plan AS $$
  SELECT CASE WHEN words ~ '[A-Za-z0-9]{3}' AND NOT row_security_active('sessions') THEN ARRAY(
    SELECT id FROM sessions, (SELECT '%' || regexp_replace(words, '([\\%_])', '\\\1', 'g') || '%' AS pattern) AS asked
     WHERE subscriber_id = (SELECT current_subscriber()) AND deleted_at IS NULL AND NOT is_trial
       AND (file_name ILIKE pattern OR source_name ILIKE pattern OR external_id ILIKE pattern)
    UNION
    SELECT id FROM sessions
     WHERE subscriber_id = (SELECT current_subscriber()) AND deleted_at IS NULL AND NOT is_trial
       AND id ~>=~ words AND id ~<~ (words || '~')
    LIMIT most) END
$$;
REVOKE ALL ON FUNCTION found_sessions(text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION found_sessions(text, int) TO pdf2press_app;
