-- A session remembers how its file came: which part of another file it is, and which earlier session had the same bytes.
ALTER TABLE "sessions" ADD COLUMN     "arrival" JSONB NOT NULL DEFAULT '{}';

-- Which types of file an injection step takes is one list now; until then pictures had a switch of their own. Drafts keep what
-- they said. Published versions do not change: those that took no pictures take them from now on.
UPDATE workflows SET draft = jsonb_set(draft, '{steps}', (
    SELECT jsonb_agg(
             CASE WHEN step->'settings' ? 'imagesToPdf'
                  THEN jsonb_set(step, '{settings}', ((step->'settings') - 'imagesToPdf')
                         || CASE WHEN step->'settings'->>'imagesToPdf' = 'false' THEN '{"fileTypes": ["PDF"]}' ELSE '{}' END::jsonb)
                  ELSE step END ORDER BY place)
      FROM jsonb_array_elements(draft->'steps') WITH ORDINALITY AS steps (step, place)))
 WHERE jsonb_path_exists(draft, '$.steps[*].settings.imagesToPdf');
