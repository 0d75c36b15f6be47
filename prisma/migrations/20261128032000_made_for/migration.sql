-- Workflows and profiles are made for the whole house or for one organization. People of some organizations see those of
-- the house and of their organizations, besides the workflows that sessions of theirs have run: these show what they were.
CREATE POLICY own_organizations ON workflows AS RESTRICTIVE FOR SELECT TO pdf2press_app
  USING (current_organizations() IS NULL OR organization_id IS NULL OR organization_id = ANY (current_organizations())
         OR EXISTS (SELECT 1 FROM sessions WHERE sessions.workflow_id = workflows.id));
CREATE POLICY own_organizations ON profiles AS RESTRICTIVE FOR SELECT TO pdf2press_app
  USING (current_organizations() IS NULL OR organization_id IS NULL OR organization_id = ANY (current_organizations()));

-- What these people make is one of their organizations'. (A file that is tried with one profile has a workflow for itself.)
CREATE POLICY made_for_own ON workflows AS RESTRICTIVE FOR INSERT TO pdf2press_app
  WITH CHECK (current_organizations() IS NULL OR organization_id = ANY (current_organizations()) OR is_trial);
CREATE POLICY made_for_own ON profiles AS RESTRICTIVE FOR INSERT TO pdf2press_app
  WITH CHECK (current_organizations() IS NULL OR organization_id = ANY (current_organizations()));

CREATE FUNCTION made_for_wall(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'CREATE POLICY own_changed ON %s AS RESTRICTIVE FOR UPDATE TO pdf2press_app
       USING (current_organizations() IS NULL OR organization_id IS NULL OR organization_id = ANY (current_organizations()))', target);
  EXECUTE format(
    'CREATE POLICY own_deleted ON %s AS RESTRICTIVE FOR DELETE TO pdf2press_app
       USING (current_organizations() IS NULL OR organization_id IS NULL OR organization_id = ANY (current_organizations()))', target);
END $$;
SELECT made_for_wall('workflows'), made_for_wall('profiles');

CREATE POLICY own_organizations ON workflow_versions AS RESTRICTIVE TO pdf2press_app
  USING (current_organizations() IS NULL OR EXISTS (SELECT 1 FROM workflows WHERE workflows.id = workflow_id));
CREATE POLICY own_organizations ON profile_versions AS RESTRICTIVE TO pdf2press_app
  USING (current_organizations() IS NULL OR EXISTS (SELECT 1 FROM profiles WHERE profiles.id = profile_id));
