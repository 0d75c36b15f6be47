import type { SessionAround } from '@pdf2press/steps/contracts';
import type { EngineDeps } from '../deps.ts';

type Row = Omit<SessionAround, 'app'>;

/** What is known around a session beside its own row: one statement, asked only where a name needs it. */
export function readAround(
  { database, app }: EngineDeps,
  { subscriberId, sessionId }: { subscriberId: string; sessionId: string },
): Promise<SessionAround> {
  return database.withSubscriber({ subscriberId }, async (tx) => {
    const [row] = await tx.$queryRaw<(Omit<Row, 'hold'> & { hold: (Row['hold'] & { since: string }) | null })[]>`
      with held as (
        select coalesce(wait.data->>'reason', '') as reason, workflow.name as by, wait.created_at as since
          from waits wait
          join sessions session on session.id = wait.session_id
          join workflows workflow on workflow.id = session.workflow_id
         where wait.session_id = ${sessionId} and wait.kind = 'hold'
        union all
        select '', coalesce(actor->>'name', ''), at from session_events
         where session_id = ${sessionId} and kind = 'Stopped')
      select session.parent_session_id as "parentId", session.finished_at as "finishedAt",
             (select jsonb_build_object('id', id, 'name', name, 'color', color) from organizations
               where id = session.organization_id) as organization,
             (select jsonb_build_object('name', trim(first_name || ' ' || last_name), 'email', email) from users
               where id = session.created_by->>'id' and session.created_by->>'kind' = 'user') as user,
             (select count(*)::int from files
               where session_id = session.id and kind = 'OriginalFile') as "fileVersion",
             (select jsonb_build_object('reason', reason, 'by', by, 'since', since) from held
               order by since desc limit 1) as hold
        from sessions session where session.id = ${sessionId}`;
    if (!row) throw new Error(`session ${sessionId} is gone`);
    return { ...row, app: app ?? null, hold: row.hold && { ...row.hold, since: new Date(row.hold.since) } };
  });
}
