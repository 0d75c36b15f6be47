import type { CheckResult, Finding, FindingTotals, ResultLevel, VariableValues } from '@pdf2press/contract';
import { newId, type Transaction } from '@pdf2press/prisma';
import { type StepEffect, type StepFile, type StepResult, stepContracts } from '@pdf2press/steps/contracts';
import type { EngineDeps } from '../deps.ts';
import { enqueueEffect } from '../effects/enqueue.ts';
import { failpoint } from '../failpoint.ts';
import { insertBlobs } from '../files/blob-rows.ts';
import { openProof } from '../proofs/open-proof.ts';
import { announce, announcementsOf } from '../sessions/announce.ts';
import { endSession } from '../sessions/end-session.ts';
import { insertEvents, type NewEvent, writeEvents } from '../sessions/events.ts';
import { createNextStep } from '../sessions/next-step.ts';
import { lockSession, takesResults } from '../sessions/session-row.ts';
import { holdSession } from '../waits/hold-session.ts';
import { asTried } from './as-tried.ts';
import { beginParts, type StoredPart } from './begin-parts.ts';
import type { BegunStep } from './begin-step.ts';
import type { ClaimedStep } from './claim-step.ts';
import { sendOn } from './send-on.ts';
import { refusedIn, tellSenderOf } from './tell-sender-of.ts';

/** Thrown when the step belongs to another worker by now: nothing of this attempt is written. */
export class LostStepError extends Error {
  override readonly name = 'LostStepError';
}

/** A file of the step whose bytes are in the store, with the id that its row will have. */
export interface StoredFile {
  id: string;
  file: StepFile;
  sha256: string;
  size: number;
}

export interface RecordedResult {
  step: ClaimedStep;
  begun: BegunStep;
  result: StepResult;
  stored: readonly StoredFile[];
  /** What the session's file was divided into. */
  parts?: readonly StoredPart[];
  engineVersion: string;
  /** False only in the control test, which shows that the epoch check is needed. */
  isFenced?: boolean;
}

/** How many findings there are by severity, as the step counted them: of some that are many it lists only the first. */
function totalsOf({ counts, findings = [] }: StepResult): FindingTotals {
  const count = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  return counts ?? { Fail: count('Fail'), Warn: count('Warn'), Info: count('Info') };
}

/** What the step's page shows: the checks with their measured summaries, and small facts. */
export interface StepOutput {
  level?: ResultLevel;
  checks?: CheckResult[];
  summary?: Record<string, unknown>;
  counts?: FindingTotals;
}

function outputOf(result: StepResult): StepOutput {
  const { level, checks, summary, findings } = result;
  return {
    ...(level && { level }),
    ...(checks && { checks }),
    ...(summary && { summary }),
    ...(findings && { counts: totalsOf(result) }),
  };
}

/** Checks the epoch: exactly one row is updated, or the whole transaction is rolled back. */
async function endStep(
  tx: Transaction,
  { step, result, engineVersion, isFenced = true }: RecordedResult,
): Promise<void> {
  const warns = result.level && result.level !== 'Success';
  const status =
    result.end === 'failure'
      ? 'Failed'
      : result.end === 'wait' || result.end === 'effects'
        ? 'Waiting'
        : warns
          ? 'Warned'
          : 'Succeeded';
  const failure = result.end === 'failure' ? result.failure : null;
  const written = await tx.$executeRaw`
    update step_runs
       set status = ${status}::step_status, outcome = ${result.end === 'outcome' ? result.outcome : null},
           output = ${JSON.stringify(outputOf(result))}::jsonb, engine_version = ${engineVersion},
           error_code = ${failure?.code ?? null}, error_params = ${failure && JSON.stringify(failure.params)}::jsonb,
           progress = null, lease_owner = null, lease_until = null,
           ended_at = case when ${status} = 'Waiting' then null else clock_timestamp() end
     where id = ${step.id} and (not ${isFenced} or (epoch = ${step.epoch} and status = 'Running'))`;
  if (written === 0) throw new LostStepError();
}

/** A file's metadata, with the id of the file that it is an image of. */
function metaOf(file: StepFile, stored: readonly StoredFile[]): object {
  const of = file.ofPath && stored.find((other) => other.file.path === file.ofPath)?.id;
  return { ...file.meta, ...(of && { of }) };
}

async function writeFindings(tx: Transaction, step: ClaimedStep, findings: readonly Finding[]): Promise<void> {
  const rows = findings.map((finding, no) => ({
    id: newId('finding'),
    no,
    check_key: finding.checkKey,
    code: finding.ruleKey,
    severity: finding.severity,
    page: finding.page,
    data: finding,
  }));
  if (rows.length === 0) return;
  await tx.$executeRaw`
    insert into findings (id, session_id, step_run_id, run_no, no, check_key, code, severity, page, data)
    select id, ${step.sessionId}, ${step.id}, ${step.runNo}, no, check_key, code, severity, page, data
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as finding (id text, no int, check_key text, code text, severity text, page int, data jsonb)`;
}

/** The file as it came under another name; its bytes and its row stay. */
async function renameOriginal(
  tx: Transaction,
  step: ClaimedStep,
  { originalRenamedTo: name }: StepResult,
): Promise<void> {
  if (name === undefined) return;
  await tx.$executeRaw`
    update files set name = ${name}
     where id = (select id from files where session_id = ${step.sessionId} and kind = 'OriginalFile'
                  order by created_at desc limit 1)`;
}

/** Updates what the session shows: level and counts of the newest preflight, variables, pages. */
async function updateSession(tx: Transaction, step: ClaimedStep, result: StepResult): Promise<void> {
  if (result.end === 'effects') return;
  const { variables, decisions, pageCount } = result;
  const totals = totalsOf(result);
  const level = stepContracts[step.kind].judges ? result.level : undefined;
  if (!level && !variables && !decisions && pageCount === undefined) return;
  await tx.$executeRaw`
    update sessions
       set result = coalesce(${level ?? null}::result_level, result),
           error_count = case when ${level ?? null}::text is null then error_count else ${totals.Fail} end,
           warning_count = case when ${level ?? null}::text is null then warning_count else ${totals.Warn} end,
           info_count = case when ${level ?? null}::text is null then info_count else ${totals.Info} end,
           variables = variables || ${JSON.stringify((variables ?? {}) satisfies VariableValues)}::jsonb,
           decisions = decisions || ${JSON.stringify(decisions ?? {})}::jsonb,
           page_count = coalesce(${pageCount ?? null}::int, page_count),
           updated_at = clock_timestamp()
     where id = ${step.sessionId}`;
}

function eventsOf({ step, result, stored }: RecordedResult): NewEvent[] {
  // The step is not over.
  if (result.end === 'effects') return [];
  const by = { sessionId: step.sessionId, stepRunId: step.id, runNo: step.runNo };
  const outcome = result.end === 'outcome' ? result.outcome : null;
  const facts = { nodeId: step.nodeId, kind: step.kind, outcome, level: result.level ?? null };
  return [
    ...(result.findings?.length
      ? [
          {
            ...by,
            kind: 'FindingsWritten',
            cause: `${step.id} findings`,
            data: { count: Object.values(totalsOf(result)).reduce((sum, each) => sum + each, 0) },
          } as const,
        ]
      : []),
    ...stored
      .filter(({ file }) => file.kind === 'ProductionFile')
      .map(
        ({ id, file }) =>
          ({
            ...by,
            kind: 'ProductionFileCreated',
            cause: `${id} created`,
            data: { fileId: id, name: file.name },
          }) as const,
      ),
    result.end === 'failure'
      ? {
          ...by,
          kind: 'StepFailed',
          cause: `${step.id} failed`,
          data: { ...facts, failure: { ...result.failure }, attempt: step.attempt },
        }
      : { ...by, kind: 'StepFinished', cause: `${step.id} finished`, data: facts },
  ];
}

/**
 * Writes the rows of files, of the bytes that they name, and history: one statement, so that a step that makes a file, as a
 * renaming does, takes no more round trips than one that makes none.
 */
async function writeFilesAndEvents(tx: Transaction, recorded: RecordedResult): Promise<void> {
  const { step, stored } = recorded;
  const events = eventsOf(recorded);
  if (stored.length === 0) return writeEvents(tx, events);
  const rows = stored.map(({ id, file, sha256, size }) => ({
    id,
    sha256,
    size,
    kind: file.kind,
    name: file.name,
    media_type: file.mediaType,
    page: file.page ?? null,
    meta: metaOf(file, stored),
  }));
  await tx.$executeRaw`
    with bytes as (${insertBlobs(stored.map(({ sha256, size }) => ({ sha256, size })))}),
    made as (
      insert into files (id, session_id, step_run_id, run_no, sha256, size, kind, name, media_type, page, meta)
      select id, ${step.sessionId}, ${step.id}, ${step.runNo}, sha256, size, kind::file_kind, name, media_type, page, meta
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as file (id text, sha256 text, size bigint, kind text, name text, media_type text, page int, meta jsonb))
    ${insertEvents(events)}`;
  await announce(tx, announcementsOf(events));
}

/**
 * Records what a step asks for. The keys are in the order of the list, and the same whenever the result is recorded. Where
 * the step does not wait, its end does not keep them from being carried out.
 */
async function askForEffects(
  tx: Transaction,
  step: ClaimedStep,
  { effects, waits }: { effects: readonly StepEffect[]; waits: boolean },
): Promise<void> {
  for (const [at, { kind, payload }] of effects.entries()) {
    const key = `${step.id}.${String(at).padStart(3, '0')}`;
    await enqueueEffect(tx, { kind, key, payload, sessionId: step.sessionId, ...(waits && { stepRunId: step.id }) });
  }
}

/** Makes what follows a result: the next step, a wait, or the session's end. */
async function follow(tx: Transaction, { step, begun, result, stored }: RecordedResult): Promise<void> {
  const made = stored.findLast(({ file }) => file.kind === 'ProductionFile' && file.mediaType === 'application/pdf');
  const input = { fileId: made?.id ?? begun.input.fileId };
  if (result.end === 'wait') {
    await holdSession(tx, step, result.wait);
    if (result.wait.proof) await openProof(tx, step, { request: result.wait.proof, fileId: input.fileId });
  } else if (result.end === 'effects') await askForEffects(tx, step, { effects: result.effects, waits: true });
  else if (result.end === 'outcome')
    await createNextStep(tx, { ...step, definition: begun.version.definition, outcome: result.outcome, input });
  else {
    const by = { sessionId: step.sessionId, runNo: step.runNo, stepRunId: step.id };
    if (result.end === 'failure') await endSession(tx, { ...by, status: 'Failed', failure: result.failure });
    else {
      await endSession(tx, { ...by, status: result.status, data: result.summary ?? {} });
      await askForEffects(tx, step, { effects: result.effects ?? [], waits: false });
    }
  }
}

/**
 * Writes everything that a step made in one transaction: result, files, findings, history, and what follows. The bytes are
 * durable already.
 * @throws LostStepError when another worker has the lease, or the session accepts no results any more
 */
export async function recordResult(deps: EngineDeps, ran: RecordedResult): Promise<void> {
  const { step } = ran;
  await deps.database.withSubscriber(
    { subscriberId: step.subscriberId },
    async (tx) => {
      const session = await lockSession(tx, step.sessionId);
      if (!takesResults(session, step.runNo)) throw new LostStepError();
      const result = session.isTrial
        ? asTried(ran.result, ran.begun.version.answers[step.nodeId])
        : await beginParts(tx, { ...ran, parts: ran.parts ?? [], result: await sendOn(tx, ran) });
      const recorded = { ...ran, result };
      await endStep(tx, recorded);
      await renameOriginal(tx, step, result);
      await writeFindings(tx, step, result.findings ?? []);
      await updateSession(tx, step, result);
      await writeFilesAndEvents(tx, recorded);
      await follow(tx, recorded);
      await tellSenderOf(tx, step, refusedIn(result));
      failpoint('insideCommit');
    },
    { timeout: 60_000 },
  );
}

/** Whether the step's end is in the database: asked when the answer to a commit was lost. */
export async function hasCommitted(deps: EngineDeps, step: ClaimedStep): Promise<boolean> {
  const row = await deps.database.withSubscriber({ subscriberId: step.subscriberId }, (tx) =>
    tx.stepRun.findUnique({ where: { id: step.id }, select: { epoch: true, status: true } }),
  );
  return row !== null && row.epoch === step.epoch && row.status !== 'Running';
}
