import {
  type Acknowledged,
  type Locale,
  type Problem,
  ProblemError,
  problem,
  type RouteResult,
  readVariables,
  type routes,
  type UploadReceipt,
  type uploadPageSendSchema,
  type VariableValues,
} from '@pdf2press/contract';
import { admit, queueMail, writeBlobs } from '@pdf2press/engine';
import { Prisma, storedAs, type Transaction, toJson } from '@pdf2press/prisma';
import type { z } from 'zod';
import { receive } from '../arrivals/receive.ts';
import type { ApiDeps } from '../deps.ts';
import { wireError } from '../frame/errors.ts';
import { found } from '../frame/rows.ts';
import { storeUpload } from '../uploads/store-upload.ts';
import { findUpload, type UploadRow } from '../uploads/upload-rows.ts';
import { ownerOf, passDoor } from './checks.ts';
import { readOffered } from './read-page.ts';
import { senderOf, type Visit } from './visits.ts';

type Submission = z.output<typeof uploadPageSendSchema>;

/** A receipt as it is stored: with problems as codes, because it may be read in another language. */
interface Outcome {
  at: string;
  files: { name: string; size: number; problem: Problem | null }[];
}

const source = 'PublicFileUpload';

/** The receipt of a visit in a language; null for one that nothing was submitted in. */
export function receiptOf(
  { reference, receipt }: Pick<Visit, 'reference' | 'receipt'>,
  locale: Locale,
): UploadReceipt | null {
  if (receipt === null) return null;
  const { at, files } = storedAs<Outcome>(receipt as Prisma.JsonValue);
  const told = files.map((file) => ({
    ...file,
    problem: file.problem && wireError(locale, file.problem),
  }));
  return { reference, at, files: told };
}

/** What is uploaded in a visit, and what was submitted. */
export async function readVisit(
  deps: ApiDeps,
  visit: Visit,
  locale: Locale,
): Promise<RouteResult<typeof routes.uploadPages.get>> {
  const files = await deps.db.withSubscriber(visit.context, (tx) =>
    tx.upload.findMany({
      where: {
        principal: { path: ['id'], equals: visit.id },
        organizationId: visit.organization.id,
        state: 'Open',
        expiresAt: { gt: new Date() },
      },
      orderBy: { id: 'asc' },
    }),
  );
  return {
    files: files.map(({ id, fileName, declaredSize, offset }) => ({
      id,
      name: fileName,
      size: Number(declaredSize),
      offset: Number(offset),
    })),
    receipt: receiptOf(visit, locale),
  };
}

/** Names a problem of a field by where the form has it. */
const at = (prefix: string, problems: readonly Problem[]): Problem[] =>
  problems.map((one) => ({
    ...one,
    field: [prefix, one.field].filter(Boolean).join('.'),
  }));

/**
 * Values for the workflow's public variables, and who sends them by the names that every workflow knows. Values for other
 * names are left out: who uploads may set no more than what they are asked.
 */
async function readValues(tx: Transaction, visit: Visit, submission: Submission): Promise<VariableValues> {
  const { workflowId, variables: given, name, email, company, message } = submission;
  const workflow = (await readOffered(tx, visit.organization)).find(({ id }) => id === workflowId);
  if (!workflow) throw problem('workflow.disabled', {}, 'workflowId');
  const names = new Set(workflow.variables.map((variable) => variable.name));
  const asked = Object.fromEntries(Object.entries(given).filter(([key]) => names.has(key)));
  const { values, problems } = readVariables(workflow.variables, asked);
  if (problems.length > 0) throw new ProblemError(at('variables', problems));
  const sender = {
    'upload.name': name,
    'upload.email': email,
    'upload.company': company,
    'upload.message': message,
  };
  return {
    ...values,
    ...Object.fromEntries(Object.entries(sender).filter(([, text]) => text !== '')),
  };
}

type Sent = UploadRow & { acknowledged: Acknowledged | null };

/** The uploads with the values of their sessions. @throws ProblemError whatever would refuse one: nothing is begun then */
async function readSubmission(
  tx: Transaction,
  visit: Visit,
  submission: Submission,
): Promise<{ uploads: Sent[]; variables: VariableValues }> {
  const variables = await readValues(tx, visit, submission);
  const uploads: Sent[] = [];
  const faults: Problem[] = [];
  for (const id of new Set(submission.files)) {
    try {
      const upload = await findUpload(tx, ownerOf(visit), id);
      const sent: Sent = { ...upload, acknowledged: null };
      uploads.push(sent);
      if (upload.isCompleted) continue;
      if (upload.offset < upload.size) throw problem('upload.incomplete');
      await admit(tx, {
        workflowId: submission.workflowId,
        variables,
        source,
        fileName: upload.fileName,
        size: upload.size,
      });
      const seen = await passDoor(tx, visit, { ...submission, upload });
      sent.acknowledged = seen && { ...seen, at: new Date().toISOString() };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      faults.push(...error.problems.map((one) => ({ ...one, field: `files.${id}` })));
    }
  }
  if (faults.length > 0) throw new ProblemError(faults);
  return { uploads, variables };
}

/** Submissions that this process works on, by visit: another of the same visit waits for its end. */
const underway = new Map<string, Promise<unknown>>();

/**
 * Submits a visit's uploads: a session each, exactly once however often it is repeated. What refuses the submission as a
 * whole refuses it before the first session; a file that is refused only then (its bytes came before) is told in the receipt.
 * @throws ProblemError `upload.*`, `workflow.*`, `file.*`
 */
export async function submit(
  deps: ApiDeps,
  visit: Visit,
  submission: Submission,
  locale: Locale,
): Promise<UploadReceipt> {
  const before = underway.get(visit.id) ?? Promise.resolve();
  const mine = before.catch(() => undefined).then(() => submitNow(deps, visit, submission, locale));
  underway.set(visit.id, mine);
  try {
    return await mine;
  } finally {
    if (underway.get(visit.id) === mine) underway.delete(visit.id);
  }
}

const receiptIn = async (tx: Transaction, { id, reference }: Visit, locale: Locale): Promise<UploadReceipt | null> => {
  const { receipt } = await tx.uploadVisit.findUniqueOrThrow({ where: { id }, select: { receipt: true } });
  return receiptOf({ reference, receipt }, locale);
};

/** One message of fixed words in the sender's language. None of it is theirs, so that nobody can have us write to others. */
const tellSender = (
  deps: ApiDeps,
  tx: Transaction,
  { id, context, organization, reference }: Visit,
  { email }: Submission,
  locale: Locale,
): Promise<void> =>
  queueMail(tx, deps.keys, {
    reader: { subscriberId: context.subscriberId, email, firstName: '', lastName: '', locale },
    template: 'uploadReceived',
    params: { organization: organization.name, reference },
    cause: id,
  });

async function submitNow(deps: ApiDeps, visit: Visit, submission: Submission, locale: Locale): Promise<UploadReceipt> {
  const { context, organization, reference } = visit;
  const read = await deps.db.withSubscriber(
    context,
    async (tx) => (await receiptIn(tx, visit, locale)) ?? readSubmission(tx, visit, submission),
  );
  if ('reference' in read) return read;
  const { uploads, variables } = read;
  const sender = senderOf(deps, visit, { name: submission.name });
  const files: Outcome['files'] = [];
  for (const upload of uploads) {
    const file = { name: upload.fileName, size: upload.size };
    files.push({
      ...file,
      problem: upload.isCompleted ? null : await begin(upload),
    });
  }
  const [first] = files;
  if (first?.problem && files.every((file) => file.problem !== null)) throw new ProblemError(first.problem);
  return deps.db.withSubscriber(context, async (tx) => {
    const outcome: Outcome = { at: new Date().toISOString(), files };
    const { count } = await tx.uploadVisit.updateMany({
      where: { id: visit.id, receipt: { equals: Prisma.AnyNull } },
      data: { receipt: toJson(outcome) },
    });
    if (count > 0) await tellSender(deps, tx, visit, submission, locale);
    // Of two processes at the same time, both answer what the first wrote.
    return found(await receiptIn(tx, visit, locale));
  });

  /** Begins the session of an upload. Resolves to why it is refused. */
  async function begin(upload: Sent): Promise<Problem | null> {
    const stored = await storeUpload(deps, sender, upload);
    try {
      await receive(deps, {
        context,
        workflowId: submission.workflowId,
        source,
        sourceName: `${submission.name} · ${reference}`,
        fileName: upload.fileName,
        bytes: stored,
        uploadId: upload.id,
        variables,
        createdBy: sender.principal,
        ingest: { kind: 'uploadPage', key: upload.id },
        sourceOrganizationId: organization.id,
        ...(upload.acknowledged && { arrival: { acknowledged: upload.acknowledged } }),
      });
      return null;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      // The collector finds bytes by their row.
      await sender.run((tx) => writeBlobs(tx, [stored]));
      return error.problems[0] ?? null;
    }
  }
}
