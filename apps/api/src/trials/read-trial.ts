import { text } from 'node:stream/consumers';
import {
  type Finding,
  type findingFates,
  isFinal,
  type Locale,
  type RouteResult,
  type routes,
  stepKindSchema,
  type TrialRow,
  workflowDefinitionSchema,
} from '@pdf2press/contract';
import { findPictures, type PictureSums, readSettings } from '@pdf2press/engine';
import { type Prisma, storedAs, type Transaction } from '@pdf2press/prisma';
import { type StepContract, stepContracts } from '@pdf2press/steps/contracts';
import type { ApiDeps } from '../deps.ts';
import type { Caller } from '../frame/caller.ts';
import { found } from '../frame/rows.ts';
import { findingOf } from '../sessions/read-findings.ts';
import { type Compared, compareRuns, type Ran } from './compare.ts';

/** So many findings of a run are compared, and so many changed ones are listed. */
const mostFindings = 5000;
const mostListed = 200;

/** Steps draw so many pictures of a file at most. Where there are fewer, there is one of every page. */
const mostDrawn = 50;

type Output = NonNullable<Ran['output']> & { fileId: string };
const isWhole = ({ pictures }: Output): boolean => pictures.size > 0 && pictures.size < mostDrawn;

const sideSelect = {
  id: true,
  runNo: true,
  status: true,
  errorCode: true,
  result: true,
  createdAt: true,
} as const satisfies Prisma.SessionSelect;

const rowSelect = {
  ...sideSelect,
  fileName: true,
  createdAt: true,
  workflowId: true,
  trialOf: { select: sideSelect },
  workflowVersion: { select: { definition: true } },
} as const satisfies Prisma.SessionSelect;
type Row = Prisma.SessionGetPayload<{ select: typeof rowSelect }>;
type Side = Prisma.SessionGetPayload<{ select: typeof sideSelect }>;

const judges = (kind: string): boolean => {
  const known = stepKindSchema.safeParse(kind).data;
  const contract: Pick<StepContract, 'judges'> | undefined = known && stepContracts[known];
  return contract?.judges ?? false;
};

/** The file that a run leaves behind, with the pictures that its steps drew of it: of the first pages, or of none. */
async function outputOf(tx: Transaction, { id, runNo }: Side): Promise<Output | null> {
  const files = await tx.file.findMany({
    where: {
      sessionId: id,
      removedAt: null,
      OR: [{ runNo }, { kind: { in: ['OriginalFile', 'OriginalFileThumbnails'] } }],
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, kind: true, sha256: true, mediaType: true, page: true, meta: true },
  });
  const last =
    files.findLast(({ kind, mediaType }) => kind === 'ProductionFile' && mediaType === 'application/pdf') ??
    files.findLast(({ kind }) => kind === 'OriginalFile');
  if (!last) return null;
  // A renamed file is another row for the same bytes.
  const same = new Set(files.filter(({ sha256 }) => sha256 === last.sha256).map((file) => file.id));
  const pictures = files.flatMap(({ page, sha256, meta }) => {
    const { role, of } = (meta ?? {}) as { role?: string; of?: string };
    return role === 'thumbnail' && page !== null && of !== undefined && same.has(of) ? [[page, sha256] as const] : [];
  });
  return { fileId: last.id, sha256: last.sha256, pictures: new Map(pictures) };
}

async function ranOf(tx: Transaction, side: Side): Promise<Ran & { output: Output | null }> {
  const { id: sessionId, runNo } = side;
  const steps = await tx.stepRun.findMany({
    where: { sessionId, runNo },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, nodeId: true, kind: true, outcome: true },
  });
  const findings = await tx.finding.findMany({
    where: { sessionId, runNo },
    orderBy: [{ stepRunId: 'asc' }, { no: 'asc' }],
    select: { stepRunId: true, data: true },
    take: mostFindings,
  });
  return {
    status: side.status,
    errorCode: side.errorCode,
    steps: steps.map(({ id, nodeId, kind, outcome }) => ({
      stepId: nodeId,
      outcome,
      findings: judges(kind)
        ? findings.flatMap((row) => (row.stepRunId === id ? [storedAs<Finding>(row.data)] : []))
        : null,
    })),
    output: await outputOf(tx, side),
  };
}

// What has ended does not change, and a list is asked for again and again while its other files run.
const compared = new Map<string, Compared>();
const keptComparisons = 500;

/** The pictures of all pages of two files that differ; null while they are being drawn. */
async function picturesOf(
  { storage }: ApiDeps,
  tx: Transaction,
  { subscriberId, outputs }: { subscriberId: string; outputs: readonly Output[] },
): Promise<Output['pictures'][] | null> {
  const found: Awaited<ReturnType<typeof findPictures>>[] = [];
  // Both are asked for before the first is waited for.
  for (const { fileId } of outputs) found.push(await findPictures(tx, fileId));
  if (found.includes('asked')) return null;
  return Promise.all(
    found.map(async (one): Promise<Output['pictures']> => {
      if (typeof one === 'string') return new Map();
      const sums = JSON.parse(await text(await storage.open({ subscriberId, sha256: one.sha256 }))) as PictureSums;
      return new Map(Object.entries(sums).map(([page, sum]) => [Number(page), sum]));
    }),
  );
}

/** What differs; null while either still runs, or the pictures of its pages are being drawn. */
async function compareOf(deps: ApiDeps, tx: Transaction, subscriberId: string, row: Row): Promise<Compared | null> {
  const { trialOf } = row;
  if (!trialOf || !isFinal(row.status)) return null;
  const key = `${row.id} ${trialOf.id} ${trialOf.runNo} ${trialOf.status}`;
  const known = compared.get(key);
  if (known) return known;
  const [now, then] = [await ranOf(tx, row), await ranOf(tx, trialOf)];
  const outputs = [now.output, then.output].filter((output) => output !== null);
  const isDrawn = outputs.length < 2 || now.output?.sha256 === then.output?.sha256 || outputs.every(isWhole);
  const drawn = isDrawn ? [] : await picturesOf(deps, tx, { subscriberId, outputs });
  if (!drawn) return null;
  const withAll = (ran: typeof now, pictures: Output['pictures'] | undefined): Ran =>
    ran.output && pictures ? { ...ran, output: { ...ran.output, pictures } } : ran;
  const made = compareRuns(withAll(now, drawn[0]), withAll(then, drawn[1]));
  if (compared.size >= keptComparisons) compared.delete(compared.keys().next().value ?? '');
  compared.set(key, made);
  return made;
}

const sideOf = ({ id, status, result, createdAt }: Side) => ({
  id,
  status,
  resultLevel: result,
  createdAt: createdAt.toISOString(),
});

function rowOf(row: Row, made: Compared | null): TrialRow {
  const countOf = (fate: (typeof findingFates)[number]) =>
    made?.changed.reduce((sum, one) => (one.fate === fate ? sum + one.count : sum), 0) ?? 0;
  return {
    fileName: row.fileName,
    now: sideOf(row),
    past: row.trialOf && sideOf(row.trialOf),
    differences: made?.differences ?? null,
    findings: made && { new: countOf('new'), gone: countOf('gone'), fixed: countOf('fixed') },
    pages: made?.changedPages?.length ?? null,
  };
}

/** The sessions of a trial; versions of trials are numbered below 0. */
export const ofTrial = (id: string) => ({
  isTrial: true,
  deletedAt: null,
  workflowVersionId: id,
  workflowVersion: { no: { lt: 0 } },
});

/** All files of a trial, in the order they were chosen. @throws ProblemError `resource.notFound` */
export async function readTrial(
  deps: ApiDeps,
  tx: Transaction,
  { subscriberId, id }: { subscriberId: string; id: string },
): Promise<RouteResult<typeof routes.trials.get>> {
  const sessions = await tx.session.findMany({
    where: ofTrial(id),
    select: rowSelect,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const first = found(sessions[0]);
  const rows: TrialRow[] = [];
  for (const session of sessions) rows.push(rowOf(session, await compareOf(deps, tx, subscriberId, session)));
  return { id, workflowId: first.workflowId, createdAt: first.createdAt.toISOString(), rows };
}

const noRun: Pick<Ran, 'steps'> = { steps: [] };
const wayOf = ({ steps }: Pick<Ran, 'steps'>) => steps.map(({ stepId, outcome }) => ({ stepId, outcome }));

/** One file of a trial beside what really happened. @throws ProblemError `resource.notFound` */
export async function readComparison(
  deps: ApiDeps,
  tx: Transaction,
  caller: Caller,
  locale: Locale,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<RouteResult<typeof routes.trials.compare>> {
  const row = found(await tx.session.findFirst({ where: { ...ofTrial(id), id: sessionId }, select: rowSelect }));
  const made = await compareOf(deps, tx, caller.subscriberId, row);
  const { measurementSettings } = await readSettings(tx, caller.subscriberId);
  return {
    ...rowOf(row, made),
    definition: workflowDefinitionSchema.parse(row.workflowVersion.definition),
    path: { now: wayOf(await ranOf(tx, row)), past: wayOf(row.trialOf ? await ranOf(tx, row.trialOf) : noRun) },
    changed: (made?.changed ?? []).slice(0, mostListed).map(({ finding, fate, count }) => ({
      ...findingOf({ data: finding, stepRunId: '', state: null }, locale, measurementSettings.defaultUnit),
      fate,
      count,
    })),
    changedPages: made?.changedPages ?? [],
  };
}
