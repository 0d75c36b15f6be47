-- The tools of the tenant wall. A later migration that adds a table adds one line for it:
--   SELECT tenant_wall('my_tables');  -- has subscriber_id
--   SELECT host_wall('my_host_facts');-- has none
-- and a test refuses a table without either.

-- Nobody signs in with these, the connection's user becomes one of them for the length of a transaction, so that the
-- policies hold even where DATABASE_URL names a superuser. Roles belong to the cluster, not to the database.
DO $$ BEGIN
  CREATE ROLE pdf2press_app NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$ BEGIN
  CREATE ROLE pdf2press_host NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
GRANT pdf2press_app, pdf2press_host TO CURRENT_USER;
GRANT USAGE ON SCHEMA public TO pdf2press_app, pdf2press_host;

-- After the first transaction that set it, a setting is '' and not NULL: nullif makes both fail closed.
CREATE FUNCTION current_subscriber() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('app.subscriber', true), '') $$;

-- NULL = not restricted to organizations, a person who may see none carries '-'.
CREATE FUNCTION current_organizations() RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT string_to_array(nullif(current_setting('app.organizations', true), ''), ',') $$;

CREATE FUNCTION tenant_wall(target regclass, owner_column text DEFAULT 'subscriber_id') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY own_subscriber ON %s TO pdf2press_app USING (%2$I = current_subscriber()) WITH CHECK (%2$I = current_subscriber())',
    target, owner_column);
  EXECUTE format('CREATE POLICY host ON %s TO pdf2press_host USING (true) WITH CHECK (true)', target);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO pdf2press_app, pdf2press_host', target);
END $$;

CREATE FUNCTION host_wall(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY host ON %s TO pdf2press_host USING (true) WITH CHECK (true)', target);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO pdf2press_host', target);
END $$;

-- A second, narrowing policy for people who belong to some organizations only.
CREATE FUNCTION organization_wall(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'CREATE POLICY own_organizations ON %s AS RESTRICTIVE TO pdf2press_app
       USING (current_organizations() IS NULL OR organization_id = ANY (current_organizations()))', target);
END $$;

CREATE FUNCTION session_wall(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'CREATE POLICY own_organizations ON %s AS RESTRICTIVE TO pdf2press_app
       USING (current_organizations() IS NULL OR EXISTS (SELECT 1 FROM sessions WHERE sessions.id = session_id))', target);
END $$;
