import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';

const final = `('Completed', 'CompletedWithWarnings', 'Failed', 'CanceledByUser', 'CanceledByOperator', 'Rerouted')`;

/** What must always hold: each query selects the rows that break it. */
const invariants: Readonly<Record<string, string>> = {
  'an accepted item has its session': `
    select source_key from ingest_items where state = 'Accepted' and session_id is null`,
  'one session per delivery': `
    select source_ref from sessions group by subscriber_id, source_ref having count(*) > 1`,
  'one result per step': `
    select cause_key from session_events where kind = 'StepFinished' group by step_run_id, cause_key having count(*) > 1
    union all
    select session_id from step_runs where status in ('Succeeded', 'Warned')
     group by session_id, run_no, node_id, iteration having count(*) > 1`,
  'nothing is open in an ended session': `
    select step.id from step_runs step join sessions session on session.id = step.session_id
     where session.status in ${final} and step.status in ('Ready', 'Running', 'Waiting', 'Blocked')`,
  'an open session has something to do': `
    select id from sessions session where status not in ${final} and not exists (
      select 1 from step_runs step where step.session_id = session.id and step.run_no = session.run_no
         and step.status in ('Ready', 'Running', 'Waiting', 'Blocked'))`,
  'a session does one thing at a time': `
    select session_id from step_runs where status in ('Ready', 'Running', 'Waiting') group by session_id having count(*) > 1`,
  'a session on hold waits or is stopped': `
    select id from sessions session where status = 'OnHold' and stop_requested_at is null and not exists (
      select 1 from step_runs step where step.session_id = session.id and step.status = 'Waiting')`,
  'a step that waits has something to wait for': `
    select step.id from step_runs step where status = 'Waiting'
       and not exists (select 1 from waits where waits.step_run_id = step.id and decided_at is null)
       and not exists (select 1 from effects where effects.step_run_id = step.id and state in ('Pending', 'Sending'))`,
  'files are shown of ended steps only': `
    select file.id from files file join step_runs step on step.id = file.step_run_id
     where step.status not in ('Succeeded', 'Warned', 'Waiting', 'Canceled')`,
  'an effect is done once': `select key from effects group by subscriber_id, key having count(*) > 1`,
  'what is archived was read back': `
    select file.id from files file join sessions session on session.id = file.session_id
      join blobs on blobs.subscriber_id = file.subscriber_id and blobs.sha256 = file.sha256
     where session.archive_state = 'Archived' and file.removed_at is null and blobs.verified_at is null
       and file.kind in ('OriginalFile', 'ProductionFile')`,
  'bytes leave only for the archive': `select sha256 from blobs where offloaded_at is not null and verified_at is null`,
  'a wait that is decided has one decision': `select id from waits where (decided_at is null) <> (decision is null)`,
  'nothing points to another subscriber': `
    select file.id from files file join sessions session on session.id = file.session_id
     where file.subscriber_id <> session.subscriber_id`,
  'no lease outlives its owner by far': `
    select id from step_runs where status = 'Running' and lease_until < clock_timestamp() - interval '35 s'`,
  'history tells each step from its beginning': `
    select finished.step_run_id from session_events finished where kind = 'StepFinished' and not exists (
      select 1 from session_events started where started.kind = 'StepStarted'
         and started.step_run_id = finished.step_run_id and started.seq < finished.seq)`,
  'the audit chain is whole': `select no::text from audit_breaks`,
};

/** Names of the invariants that do not hold, with the first row that breaks each. */
export async function brokenInvariants(sql: pg.Client, blobFolder: string): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, query] of Object.entries(invariants)) {
    const { rows } = await sql.query(query);
    if (rows.length > 0) broken.push(`${name}: ${JSON.stringify(rows[0])} and ${rows.length - 1} more`);
  }
  const { rows } = await sql.query(`
    select distinct subscriber_id, sha256, files.size from files join blobs using (subscriber_id, sha256)
     where files.removed_at is null and blobs.offloaded_at is null`);
  for (const { subscriber_id, sha256, size } of rows) {
    const bytes = await readFile(path.join(blobFolder, subscriber_id, sha256.slice(0, 2), sha256)).catch(
      () => undefined,
    );
    const isWhole = bytes?.length === Number(size) && createHash('sha256').update(bytes).digest('hex') === sha256;
    if (!isWhole) broken.push(`the bytes of a file are those that were stored: ${sha256}`);
  }
  return broken;
}
