-- Which types of file an injection step takes became one list. Drafts were translated then; versions published before still
-- say it by a switch for pictures, which is read no more: those that took no pictures have taken them since. Translated here,
-- they take again what they took when they were published. What a version says does not change, only how it is written.
CREATE FUNCTION pg_temp.with_file_types(definition jsonb) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_set(definition, '{steps}', jsonb_agg(
           CASE WHEN step->'settings' ? 'imagesToPdf'
                THEN jsonb_set(step, '{settings}',
                       CASE WHEN step->'settings'->>'imagesToPdf' = 'false' THEN '{"fileTypes": ["PDF"]}' ELSE '{}' END::jsonb
                       || ((step->'settings') - 'imagesToPdf'))
                ELSE step END ORDER BY place))
    FROM jsonb_array_elements(definition->'steps') WITH ORDINALITY AS steps (step, place)
$$;

-- The owner sees rows of no subscriber while row-level security is forced: a migration is about all of them.
ALTER TABLE workflow_versions NO FORCE ROW LEVEL SECURITY;
ALTER TABLE workflow_versions DISABLE TRIGGER immutable;
UPDATE workflow_versions SET definition = pg_temp.with_file_types(definition)
 WHERE jsonb_path_exists(definition, '$.steps[*].settings.imagesToPdf');
ALTER TABLE workflow_versions ENABLE TRIGGER immutable;
ALTER TABLE workflow_versions FORCE ROW LEVEL SECURITY;

-- Of installations with subscribers behind forced row-level security the drafts were not reached then, either.
ALTER TABLE workflows NO FORCE ROW LEVEL SECURITY;
UPDATE workflows SET draft = pg_temp.with_file_types(draft)
 WHERE jsonb_path_exists(draft, '$.steps[*].settings.imagesToPdf');
ALTER TABLE workflows FORCE ROW LEVEL SECURITY;
