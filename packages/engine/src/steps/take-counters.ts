import type { Counters, StepContext } from '@pdf2press/steps/contracts';
import type { EngineDeps } from '../deps.ts';

export interface CountedStep {
  subscriberId: string;
  /** Of the run of the step. */
  id: string;
  sessionId: string;
  workflowId: string;
}

/** A day as the print house's clock has it: `2026-11-22`. */
const dayIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(new Date());

/**
 * The workflow's next running numbers, kept with the step before it uses them: an attempt that follows a crash gets the
 * same. A trial shows the numbers that would come next and takes none.
 */
export function takeCounters(
  deps: EngineDeps,
  { subscriberId, id, sessionId, workflowId }: CountedStep,
  { timeZone }: StepContext['reader'],
): Promise<Counters> {
  const day = dayIn(timeZone);
  return deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const [step] = await tx.$queryRaw<{ counters: Counters | null; isTrial: boolean }[]>`
      select counters, (select is_trial from sessions where id = ${sessionId}) as "isTrial"
        from step_runs where id = ${id} for update`;
    if (step?.counters) return step.counters;
    if (step?.isTrial) {
      const [next] = await tx.$queryRaw<Counters[]>`
        select total + 1 as total, case when day = ${day} then daily + 1 else 1 end as daily
          from workflow_counters where workflow_id = ${workflowId}`;
      return next ?? { total: 1, daily: 1 };
    }
    const [taken] = await tx.$queryRaw<Counters[]>`
      insert into workflow_counters (workflow_id, total, day, daily) values (${workflowId}, 1, ${day}, 1)
      on conflict (subscriber_id, workflow_id) do update
        set total = workflow_counters.total + 1, day = excluded.day,
            daily = case when workflow_counters.day = excluded.day then workflow_counters.daily + 1 else 1 end
      returning total, daily`;
    if (!taken) throw new Error(`workflow ${workflowId} gave no number`);
    await tx.$executeRaw`update step_runs set counters = ${JSON.stringify(taken)}::jsonb where id = ${id}`;
    return taken;
  });
}
