import type { Transaction } from '@pdf2press/prisma';
import type { CounterKind, Counters, StepContext, WorkflowCounters } from '@pdf2press/steps/contracts';
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

/** How the numbers of a kind are read and taken. */
interface Counting {
  /** The numbers that would come next; none is taken. */
  next(tx: Transaction, workflowId: string, day: string): Promise<Partial<Counters>>;
  take(tx: Transaction, workflowId: string, day: string): Promise<Partial<Counters> | undefined>;
}

const countings: Readonly<Record<CounterKind, Counting>> = {
  workflow: {
    next: async (tx, workflowId, day) => {
      const [next] = await tx.$queryRaw<WorkflowCounters[]>`
        select total + 1 as total, case when day = ${day} then daily + 1 else 1 end as daily
          from workflow_counters where workflow_id = ${workflowId}`;
      return next ?? { total: 1, daily: 1 };
    },
    take: async (tx, workflowId, day) => {
      const [taken] = await tx.$queryRaw<WorkflowCounters[]>`
        insert into workflow_counters (workflow_id, total, day, daily) values (${workflowId}, 1, ${day}, 1)
        on conflict (subscriber_id, workflow_id) do update
          set total = workflow_counters.total + 1, day = excluded.day,
              daily = case when workflow_counters.day = excluded.day then workflow_counters.daily + 1 else 1 end
        returning total, daily`;
      return taken;
    },
  },
  house: {
    next: async (tx) => {
      const [next] = await tx.$queryRaw<Pick<Counters, 'all'>[]>`select total + 1 as "all" from house_counters`;
      return next ?? { all: 1 };
    },
    take: async (tx) => {
      const [taken] = await tx.$queryRaw<Pick<Counters, 'all'>[]>`
        insert into house_counters (total) values (1)
        on conflict (subscriber_id) do update set total = house_counters.total + 1
        returning total as "all"`;
      return taken;
    },
  },
};

/** The numbers that would come next. */
export async function nextCounters(
  tx: Transaction,
  kinds: readonly CounterKind[],
  { workflowId, reader }: { workflowId: string; reader: StepContext['reader'] },
): Promise<Partial<Counters>> {
  const numbers: Partial<Counters> = {};
  for (const kind of kinds) Object.assign(numbers, await countings[kind].next(tx, workflowId, dayIn(reader.timeZone)));
  return numbers;
}

const isTaken = (counters: Partial<Counters>, kind: CounterKind): boolean =>
  (kind === 'house' ? counters.all : counters.total) !== undefined;

/**
 * The next running numbers of these kinds, kept with the step before it uses them: an attempt that follows a crash gets the
 * same. A trial shows the numbers that would come next and takes none.
 */
export function takeCounters(
  deps: EngineDeps,
  { subscriberId, id, sessionId, workflowId }: CountedStep,
  kinds: readonly CounterKind[],
  reader: StepContext['reader'],
): Promise<Partial<Counters>> {
  const day = dayIn(reader.timeZone);
  return deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const [step] = await tx.$queryRaw<{ counters: Partial<Counters> | null; isTrial: boolean }[]>`
      select counters, (select is_trial from sessions where id = ${sessionId}) as "isTrial"
        from step_runs where id = ${id} for update`;
    if (step?.isTrial) return nextCounters(tx, kinds, { workflowId, reader });
    const counters = step?.counters ?? {};
    const missing = kinds.filter((kind) => !isTaken(counters, kind));
    for (const kind of missing) {
      const taken = await countings[kind].take(tx, workflowId, day);
      if (!taken) throw new Error(`${kind} ${workflowId} gave no number`);
      Object.assign(counters, taken);
    }
    if (missing.length > 0)
      await tx.$executeRaw`update step_runs set counters = ${JSON.stringify(counters)}::jsonb where id = ${id}`;
    return counters;
  });
}
