-- At most one company's settings are those of the installation.
CREATE UNIQUE INDEX "system_settings_global_key" ON "system_settings"("is_global") WHERE "is_global";

-- What all companies may read of them: as its owner the function is not held by the wall, and it leaves out all
-- that is the company's own. A test compares the names with the contract's.
CREATE FUNCTION installation_settings() RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT jsonb_build_object(
    'passwordSettings', password_settings,
    'userSettings', user_settings,
    'proofApprovalSettings', proof_approval_settings,
    'measurementSettings', measurement_settings,
    'culture', culture,
    'showVersionNumber', show_version_number,
    'timeZone', extra -> 'timeZone',
    'appearanceSettings', extra -> 'appearanceSettings')
  FROM system_settings WHERE is_global
$$;
REVOKE ALL ON FUNCTION installation_settings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION installation_settings() TO pdf2press_app, pdf2press_host;
