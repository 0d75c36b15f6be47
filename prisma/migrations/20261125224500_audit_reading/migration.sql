-- The audit is read by time, and by what was done to one thing.
CREATE INDEX "audit_entries_subscriber_id_at_idx" ON "audit_entries"("subscriber_id", "at");
CREATE INDEX "audit_entries_subscriber_id_object_no_idx" ON "audit_entries"("subscriber_id", "object", "no");

-- What is chained of an entry, as a text of its own: an export carries it, so that it can be verified without the database.
CREATE FUNCTION audit_text(entry audit_entries) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_array(
    entry.subscriber_id, entry.no, entry.actor, entry.act, entry.object, entry.before, entry.after, entry.ip,
    extract(epoch FROM entry.at))::text
$$;
CREATE OR REPLACE FUNCTION audit_hash(entry audit_entries) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(entry.prev_hash || convert_to(audit_text(entry), 'UTF8'))
$$;

-- What is wrong at each entry at which the chain does not hold.
CREATE OR REPLACE VIEW audit_breaks WITH (security_invoker = true) AS
  SELECT entry.subscriber_id, entry.no,
         CASE WHEN entry.row_hash IS DISTINCT FROM audit_hash(entry) THEN 'changed'
              WHEN entry.no > 1 AND earlier.no IS NULL THEN 'missing'
              ELSE 'unlinked' END AS fault
    FROM audit_entries entry
    LEFT JOIN audit_entries earlier
      ON earlier.subscriber_id = entry.subscriber_id AND earlier.no = entry.no - 1
   WHERE entry.row_hash IS DISTINCT FROM audit_hash(entry)
      OR entry.prev_hash IS DISTINCT FROM coalesce(earlier.row_hash, '\x'::bytea)
      OR (entry.no > 1 AND earlier.no IS NULL);

-- Administrators read who did what. The owner sees rows of no subscriber while row-level security is forced.
ALTER TABLE roles NO FORCE ROW LEVEL SECURITY;
UPDATE roles SET permissions = permissions || ARRAY['audit.view', 'audit.export']
 WHERE is_static AND NOT 'audit.view' = ANY (permissions);
ALTER TABLE roles FORCE ROW LEVEL SECURITY;
