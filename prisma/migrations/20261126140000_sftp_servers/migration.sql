-- Whoever sees, makes or deletes mailboxes does the same with servers that files are fetched from.
-- The owner sees rows of no subscriber while row-level security is forced: a migration is about all of them.
ALTER TABLE roles NO FORCE ROW LEVEL SECURITY;
UPDATE roles SET permissions = permissions || ARRAY(
  SELECT 'sftpServer.' || act FROM unnest(ARRAY['view', 'manage', 'delete']) AS act
   WHERE 'inboundEmail.' || act = ANY (permissions) AND NOT 'sftpServer.' || act = ANY (permissions))
 WHERE permissions && ARRAY['inboundEmail.view', 'inboundEmail.manage', 'inboundEmail.delete'];
ALTER TABLE roles FORCE ROW LEVEL SECURITY;
