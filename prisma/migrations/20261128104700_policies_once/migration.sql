-- A policy asks once for each statement whose rows these are: a function that reads a setting is otherwise asked for each
-- row, which was most of the time of counting a million sessions. `(SELECT f())` is read before the first row.
CREATE FUNCTION pg_temp.asked_once(rule text) RETURNS text LANGUAGE sql AS $$
  SELECT replace(replace(replace(rule,
    '(current_organizations() IS NULL)', '(SELECT current_organizations() IS NULL)'),
    'ANY (current_organizations())', 'ANY ((SELECT current_organizations())::text[])'),
    'current_subscriber()', '(SELECT current_subscriber())')
$$;
DO $$
DECLARE
  policy record;
BEGIN
  FOR policy IN
    SELECT polname AS name, polrelid::regclass AS target,
           pg_temp.asked_once(pg_get_expr(polqual, polrelid)) AS seen,
           pg_temp.asked_once(pg_get_expr(polwithcheck, polrelid)) AS written
      FROM pg_policy JOIN pg_class ON pg_class.oid = polrelid
     WHERE relnamespace = 'public'::regnamespace AND 'pdf2press_app'::regrole = ANY (polroles)
  LOOP
    EXECUTE format('ALTER POLICY %I ON %s', policy.name, policy.target)
      || coalesce(' USING (' || policy.seen || ')', '')
      || coalesce(' WITH CHECK (' || policy.written || ')', '');
  END LOOP;
END $$;

-- As before, said so that the planner can guess its share.
ALTER POLICY own_organizations ON sessions
  USING (NOT ((SELECT current_organizations() IS NOT NULL)
              AND NOT coalesce(organization_id = ANY ((SELECT current_organizations())::text[]), false)));

CREATE OR REPLACE FUNCTION tenant_wall(target regclass, owner_column text DEFAULT 'subscriber_id') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY own_subscriber ON %s TO pdf2press_app
       USING (%2$I = (SELECT current_subscriber())) WITH CHECK (%2$I = (SELECT current_subscriber()))',
    target, owner_column);
  EXECUTE format('CREATE POLICY host ON %s TO pdf2press_host USING (true) WITH CHECK (true)', target);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO pdf2press_app, pdf2press_host', target);
END $$;

CREATE OR REPLACE FUNCTION organization_wall(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'CREATE POLICY own_organizations ON %s AS RESTRICTIVE TO pdf2press_app
       USING ((SELECT current_organizations() IS NULL)
              OR organization_id = ANY ((SELECT current_organizations())::text[]))', target);
END $$;

CREATE OR REPLACE FUNCTION session_wall(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'CREATE POLICY own_organizations ON %s AS RESTRICTIVE TO pdf2press_app
       USING ((SELECT current_organizations() IS NULL)
              OR EXISTS (SELECT 1 FROM sessions WHERE sessions.id = session_id))', target);
END $$;

CREATE OR REPLACE FUNCTION made_for_wall(target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  own text := '(SELECT current_organizations() IS NULL) OR organization_id IS NULL
               OR organization_id = ANY ((SELECT current_organizations())::text[])';
BEGIN
  EXECUTE format('CREATE POLICY own_changed ON %s AS RESTRICTIVE FOR UPDATE TO pdf2press_app USING (%s)', target, own);
  EXECUTE format('CREATE POLICY own_deleted ON %s AS RESTRICTIVE FOR DELETE TO pdf2press_app USING (%s)', target, own);
END $$;
