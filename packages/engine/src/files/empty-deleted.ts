import { Prisma } from '@pdf2press/prisma';
import type { EngineDeps } from '../deps.ts';
import { factsOf } from '../figures/facts.ts';

/** A session is shown as deleted for this long, with its history; then nothing is left of it that names anybody. */
export const hiddenAfterDays = 30;

/** Certificates of decisions outlive their session, like the decisions. `file` is the row. */
export const isCertificate = Prisma.sql`coalesce(file.meta ->> 'role', '') like 'proofCertificate %'`;

/**
 * Leaves of sessions that were deleted long ago a row without names: its deliveries must be known for ever, and sessions
 * that came from it refer to it, and what the figures count of it. Decisions on proofs, their certificates and the audit stay. Resolves to how many sessions
 * were emptied, `limit` at most.
 */
export const emptyDeleted = (deps: EngineDeps, limit: number): Promise<number> =>
  deps.database.asHost(
    async (tx) => {
      const gone = await tx.$queryRaw<{ id: string }[]>`
        select id from sessions
         where deleted_at < clock_timestamp() - make_interval(days => ${hiddenAfterDays}::int) and emptied_at is null
         order by deleted_at limit ${limit} for update skip locked`;
      if (gone.length === 0) return 0;
      const ids = gone.map(({ id }) => id);
      const ofThese = Prisma.sql`session_id = any (${ids}::text[])`;
      await tx.$executeRaw`
        with scope as materialized (select * from sessions where id = any (${ids}::text[])),
        kept as (select session_id, jsonb_object_agg(key, n) as measures
                   from (select session_id, key, sum(n) as n from (${factsOf(Prisma.sql`scope`)}) fact group by 1, 2) counted
                  group by 1)
        update sessions set measures = kept.measures from kept where sessions.id = kept.session_id`;
      await tx.$executeRaw`delete from findings where ${ofThese}`;
      await tx.$executeRaw`delete from session_comments where ${ofThese}`;
      await tx.$executeRaw`delete from proof_notes where ${ofThese}`;
      await tx.$executeRaw`delete from private_notes where ${ofThese}`;
      await tx.$executeRaw`delete from uploads where ${ofThese}`;
      await tx.$executeRaw`delete from effects where ${ofThese} and state in ('Done', 'Dead')`;
      await tx.$executeRaw`delete from session_events where ${ofThese}`;
      await tx.$executeRaw`delete from files file where ${ofThese} and not ${isCertificate}`;
      // With the steps go their waits and the proofs that nobody decided.
      await tx.$executeRaw`
        delete from step_runs step where ${ofThese}
           and not exists (select 1 from proofs join proof_decisions decision on decision.subscriber_id = proofs.subscriber_id
                              and decision.proof_id = proofs.id
                            where proofs.subscriber_id = step.subscriber_id and proofs.step_run_id = step.id)
           and not exists (select 1 from files file where file.subscriber_id = step.subscriber_id and file.step_run_id = step.id)`;
      await tx.$executeRaw`
        update ingest_items set name = '', reason = null, reason_params = null, way = null, source_name = '' where ${ofThese}`;
      await tx.$executeRaw`
        update sessions
           set emptied_at = clock_timestamp(), file_name = '', source_name = '', variables = '{}', decisions = '{}',
               arrival = '{}', created_by = '{}', error_params = null, assignee_id = null, external_id = null
         where id = any (${ids}::text[])`;
      return ids.length;
    },
    { timeout: 120_000 },
  );
