import {
  type Arrival,
  contractMessages,
  type ErrorParams,
  type Locale,
  type Session,
  type SessionStep,
  sentence,
  stepKindSchema,
  stepProgressSchema,
  type Unit,
  type VariableValues,
  workflowDefinitionSchema,
} from '@pdf2press/contract';

import { noteFileRole, readSettings, type StepOutput } from '@pdf2press/engine';
import { fixActionLabel, fixReasonTold } from '@pdf2press/fix/contracts';
import { refusalSentence } from '@pdf2press/impose/contracts';
import { type Prisma, storedAs, type Transaction } from '@pdf2press/prisma';
import type { Caller } from '../frame/caller.ts';
import { found } from '../frame/rows.ts';
import { readArrival, readMerged, readParts } from './read-arrival.ts';
import { readHold } from './read-holds.ts';
import { listItemsOf, listSelect } from './read-list.ts';
import { saidReason } from './said-reason.ts';

type Failure = Session['failure'];

interface Reader {
  locale: Locale;
  unit: Unit;
}

/** The reason why a fix or an imposition is not possible, or a file of several cannot be read, has its own sentence. */
function problemOf({ locale, unit }: Reader, code: string, params: ErrorParams): ErrorParams {
  if (code === 'IMPOSE_REFUSED') return { problem: refusalSentence(params, locale, unit) };
  if (code !== 'FIX_FAILED') return saidReason(locale, code, params);
  const action = String(params.action);
  const problem = fixReasonTold(action, { code: String(params.reason), params }, locale, unit);
  return { action: fixActionLabel(action, locale), problem };
}

/** A failure in the reader's language and unit. */
function failureOf(reader: Reader, code: string | null, params: unknown): Failure {
  if (!code) return null;
  const values = (params ?? {}) as ErrorParams;
  const said = { ...values, ...problemOf(reader, code, values) };
  return { code, params: values, message: sentence(contractMessages, reader.locale, code, said) };
}

/** A summary with the sentence of the problem in spite of which the step went on. */
function inWords(reader: Reader, summary: Record<string, unknown>): Record<string, unknown> {
  const problem = summary.problem as { code: string; params?: unknown } | undefined;
  return problem ? { ...summary, problem: failureOf(reader, problem.code, problem.params) } : summary;
}

const fileSelect = {
  id: true,
  kind: true,
  name: true,
  mediaType: true,
  size: true,
  sha256: true,
  stepRunId: true,
  createdAt: true,
  meta: true,
} as const satisfies Prisma.FileSelect;

/** Tiles, inspections and page lists serve the viewer; files at notes of a proof are read with the notes. */
const isInternal = (meta: unknown): boolean =>
  ['inspection', 'pages', 'tiles', 'raster', 'plates', noteFileRole].includes(
    String((meta as { role?: unknown } | null)?.role ?? ''),
  );

const stepSelect = {
  id: true,
  nodeId: true,
  kind: true,
  status: true,
  outcome: true,
  attempt: true,
  runNo: true,
  startedAt: true,
  endedAt: true,
  output: true,
  progress: true,
  errorCode: true,
  errorParams: true,
  engineVersion: true,
} as const satisfies Prisma.StepRunSelect;
type StepRow = Prisma.StepRunGetPayload<{ select: typeof stepSelect }>;

function stepOf(reader: Reader, names: ReadonlyMap<string, string>, row: StepRow): SessionStep {
  const output = storedAs<StepOutput | null>(row.output) ?? {};
  const { startedAt, endedAt } = row;
  return {
    id: row.id,
    stepId: row.nodeId,
    kind: stepKindSchema.parse(row.kind),
    name: names.get(row.nodeId) ?? '',
    status: row.status,
    outcome: row.outcome,
    attempt: row.attempt,
    runNumber: row.runNo,
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    durationMs: startedAt && endedAt ? endedAt.getTime() - startedAt.getTime() : null,
    progress: stepProgressSchema.nullable().catch(null).parse(row.progress),
    result: output.level ?? null,
    checks: output.checks ?? [],
    findings: output.counts ?? null,
    summary: inWords(reader, output.summary ?? {}),
    failure: failureOf(reader, row.errorCode, row.errorParams),
    engineVersion: row.engineVersion,
  };
}

const relatedSelect = { id: true, workflow: { select: { name: true } } } as const satisfies Prisma.SessionSelect;
const relatedOf = (row: { id: string; workflow: { name: string } } | null | undefined): Session['redirectedTo'] =>
  row ? { id: row.id, workflowName: row.workflow.name } : null;

/**
 * One session with the steps of all its runs; its findings are read separately, because there may be thousands. @throws
 * `resource.notFound`
 */
export async function readSession(tx: Transaction, caller: Caller, locale: Locale, id: string): Promise<Session> {
  const row = found(
    await tx.session.findFirst({
      where: { id },
      select: {
        ...listSelect,
        variables: true,
        version: true,
        errorCode: true,
        errorParams: true,
        workflowVersion: { select: { no: true, definition: true } },
        arrival: true,
        parentSession: { select: { ...relatedSelect, fileName: true } },
        childSessions: { select: relatedSelect, orderBy: { createdAt: 'desc' }, take: 1 },
      },
    }),
  );
  const [item] = await listItemsOf(tx, caller, [row]);
  const { measurementSettings } = await readSettings(tx, caller.subscriberId);
  const reader = { locale, unit: measurementSettings.defaultUnit };
  const steps = await tx.stepRun.findMany({
    where: { sessionId: id },
    select: stepSelect,
    orderBy: [{ runNo: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
    take: 2000,
  });
  const files = row.deletedAt
    ? []
    : await tx.file.findMany({
        where: { sessionId: id, removedAt: null },
        select: fileSelect,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        take: 2000,
      });
  const arrival = storedAs<Arrival>(row.arrival);
  const definition = workflowDefinitionSchema.parse(row.workflowVersion.definition);
  const variables = (row.variables ?? {}) as VariableValues;
  const names = new Map(definition.steps.map((step) => [step.id, step.name]));
  return {
    ...found(item),
    steps: steps.map((step) => stepOf(reader, names, step)),
    files: files
      .filter(({ meta }) => !isInternal(meta))
      .map(({ meta: _, size, createdAt, ...file }) => ({
        ...file,
        sizeBytes: Number(size),
        createdAt: createdAt.toISOString(),
        downloadUrl: `/api/sessions/${id}/files/${file.id}`,
      })),
    variables,
    declaredVariables: definition.variables.map(({ name, type, options, isRequired, default: initial }) => ({
      name,
      type,
      options,
      isRequired,
      status: (variables[name] ?? null) === initial ? 'Defined' : 'Injected',
    })),
    failure: failureOf(reader, row.errorCode, row.errorParams),
    hold: row.status === 'OnHold' ? await readHold(tx, caller, { id, variables, definition }) : null,
    redirectedTo: row.status === 'Rerouted' ? relatedOf(row.childSessions[0]) : null,
    redirectedFrom: arrival.part ? null : relatedOf(row.parentSession),
    ...(await readArrival(tx, { arrival, parent: row.parentSession })),
    parts: await readParts(tx, locale, { id, steps }),
    merged: readMerged(locale, steps),
    version: row.version,
  };
}
