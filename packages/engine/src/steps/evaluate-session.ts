import { problem, type RouteResult, type routes, type WorkflowVariable } from '@pdf2press/contract';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import { type FactValue, nameKey, type RuleGroup, resolvePlaceholders, ruleGroupSchema } from '@pdf2press/settings';
import type { KnownOfSession } from '@pdf2press/steps/contracts';
import { type Evaluated, openRules, stepFacts } from '@pdf2press/steps/facts';
import type { EngineDeps } from '../deps.ts';
import { loadVersion } from '../workflows/definition.ts';
import { columnsOfHeld, fileOfHeld, type HeldRow, type HeldSession, heldSessionOf } from './held-session.ts';
import { readMade } from './read-made.ts';
import { readAround } from './session-around.ts';
import { nextCounters } from './take-counters.ts';

export interface SessionQuestion {
  sessionId: string;
  /** A step of the workflow: where the newest run had it, facts are those that it found; else those at the run's end. */
  stepId?: string;
  /** Of the draft that asks. */
  variables: readonly WorkflowVariable[];
  /** As a draft holds them: one that is not complete has no answer. */
  groups: readonly unknown[];
  /** Names whose values are asked for as texts. */
  names: readonly string[];
}

/** What the API answers; texts by the names as they were asked, empty where there is no value. */
export type SessionAnswer = RouteResult<(typeof routes)['sessions']['evaluate']>;

const shown = (value: FactValue) =>
  value instanceof Date ? value.toISOString() : Array.isArray(value) ? [...value] : (value as string | number | null);

const inWords = ({ verdict, table }: Evaluated): NonNullable<SessionAnswer['groups'][number]> => ({
  verdict,
  table: table.map((row) => ({ ...row, expected: row.expected.map(shown), actual: shown(row.actual) })),
});

/** @throws ProblemError `resource.notFound` */
async function heldSession(
  tx: Transaction,
  { sessionId, stepId = '' }: Pick<SessionQuestion, 'sessionId' | 'stepId'>,
): Promise<HeldSession> {
  const session = await tx.session.findFirst({
    where: { id: sessionId, deletedAt: null },
    select: { subscriberId: true, runNo: true, workflowVersionId: true },
  });
  if (!session) throw problem('resource.notFound');
  const [row] = await tx.$queryRaw<(HeldRow & { nodeId: string; heldId: string })[]>`
    with held as (
      select id, session_id, run_no, input, started_at from step_runs
       where session_id = ${sessionId} and run_no = ${session.runNo}
       order by node_id = ${stepId} desc, created_at desc, id desc limit 1),
    ${fileOfHeld}
    ${columnsOfHeld}`;
  if (!row) throw problem('resource.notFound');
  const version = await loadVersion(tx, session.workflowVersionId);
  const node = version.definition.steps.find(({ id }) => id === stepId);
  const step = { id: stepId, kind: node?.kind ?? 'Condition', name: node?.name ?? '' } as const;
  return heldSessionOf(row, { ...session, sessionId, step, version });
}

/**
 * All that is known of a session of the past. Nothing is written, and running numbers are those that would come next.
 * @throws ProblemError `resource.notFound`
 */
export async function knownOfPast(
  deps: EngineDeps,
  context: SubscriberContext,
  asked: Pick<SessionQuestion, 'sessionId' | 'stepId'>,
): Promise<KnownOfSession> {
  const held = await deps.database.withSubscriber(context, (tx) => heldSession(tx, asked));
  const { id: sessionId, subscriberId, runNo } = held.session;
  const { workflow, reader } = held;
  return {
    ...held,
    readMade: (role) => readMade(deps, { subscriberId, sessionId, runNo }, role),
    readAround: () => readAround(deps, { subscriberId, sessionId }),
    takeCounters: (kinds) =>
      deps.database.withSubscriber(context, (tx) => nextCounters(tx, kinds, { workflowId: workflow.id, reader })),
  };
}

/**
 * What is known of a session by name, and how rules come out with it: the same evaluation as when a step runs, on a
 * session of the past. Nothing is written.
 * @throws ProblemError `resource.notFound`
 */
export async function evaluateSession(
  deps: EngineDeps,
  context: SubscriberContext,
  question: SessionQuestion,
): Promise<SessionAnswer> {
  const past = await knownOfPast(deps, context, question);
  const known: KnownOfSession = {
    ...past,
    workflow: { ...past.workflow, variables: question.variables },
    takeCounters: async () => null,
  };
  const groups = question.groups.map((group): RuleGroup | null => ruleGroupSchema.safeParse(group).data ?? null);
  const evaluate = await openRules(
    known,
    groups.filter((group) => group !== null),
  );
  const { facts } = await stepFacts(known, question.names);
  const texts = question.names.map((name) => [name, textOf(name, facts, known.reader)] as const);
  return { groups: groups.map((group) => group && inWords(evaluate(group))), texts: Object.fromEntries(texts) };
}

const textOf = (name: string, facts: Parameters<typeof resolvePlaceholders>[1], reader: KnownOfSession['reader']) =>
  facts.has(nameKey(name)) ? resolvePlaceholders(`{{${name}}}`, facts, reader) : '';
