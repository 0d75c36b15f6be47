import { Client } from 'pg';

/** Copies of one session, a minute apart in the past; removed at the end. */
export async function withManySessions(count: number, use: () => Promise<void>): Promise<void> {
  // The database of another product may be unreachable; its own sessions are measured then.
  if (count === 0 || !process.env.DATABASE_URL) return use();
  const db = new Client({ connectionString: process.env.DATABASE_URL });
  await db.connect();
  try {
    // Nothing refers to them and they refer to what one that is there refers to: to have every row's ten references
    // looked up, on the way in and on the way out, takes longer than all that is measured on them.
    await db.query('set session_replication_role = replica');
    await db.query(
      `insert into sessions (id, subscriber_id, public_id, workflow_id, workflow_version_id, source, source_name, file_name, status, created_at)
       select 'ses_many' || n, subscriber_id, 'many' || n, workflow_id, workflow_version_id, source, 'Source ' || n % 50,
              'job-' || md5(n::text) || '.pdf',
              (array['Completed', 'Failed', 'CompletedWithWarnings', 'OnHold'])[1 + n % 4]::session_status,
              now() - interval '1 day' - n * interval '1 minute'
         from (select * from sessions where deleted_at is null limit 1) as one, generate_series(1, $1::int) as n`,
      [count],
    );
    await db.query('analyze sessions');
    await use();
  } finally {
    await db.query(`delete from sessions where id like 'ses_many%'`);
    await db.end();
  }
}
