import {
  batchItemSchema,
  cleanFileName,
  externalIdName,
  externalIdOf,
  fileTypeOf,
  type NamedFile,
  namedFileSchema,
  orderValues,
  ProblemError,
  problem,
  type RouteResult,
  type routes,
  type WayIn,
  type WireError,
  wayOfShop,
} from '@pdf2press/contract';
import {
  type AskedFile,
  admit,
  askForFile,
  decideOrganization,
  fetchSource,
  mayBeAsked,
  nameInPath,
} from '@pdf2press/engine';
import { newId, type Transaction } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { receive } from '../arrivals/receive.ts';
import type { ApiDeps } from '../deps.ts';
import { actorOf, type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf, wireError, wireErrorsOf } from '../frame/errors.ts';
import { readPart } from '../frame/read-part.ts';
import { senderOf } from '../uploads/sender-of-caller.ts';
import { storeUpload } from '../uploads/store-upload.ts';
import { findUpload } from '../uploads/upload-rows.ts';
import {
  answer,
  type Created,
  type DeliveryKey,
  deliveryKey,
  isItsFile,
  keyOf,
  knownDelivery,
  noteUnused,
} from './create.ts';

type ByAddress = NamedFile & { fileUrl: string };

/** The name that the file will have, as far as it is known before its server was asked. */
function knownName({ fileName, fileUrl }: ByAddress): string | null {
  const name = fileName ?? nameInPath(fileUrl);
  return fileName !== undefined || fileTypeOf(name) ? cleanFileName(name) : null;
}

/**
 * Refuses at once what would be refused when the file is here: what is not the fault of the file is the caller's to know.
 * @throws ProblemError
 */
async function demandAdmission(
  tx: Transaction,
  { workflowId, variables, organizationId }: NamedFile,
  { fileName, ...from }: { fileName: string | null; source: AskedFile['source']; way?: WayIn },
): Promise<string | null> {
  try {
    await admit(tx, { workflowId, variables, ...from, fileName: fileName ?? 'file.pdf' });
  } catch (error) {
    // Whether an unknown name fits is seen when its server has said it.
    const isOfName = error instanceof ProblemError && error.problems.every(({ code }) => code.startsWith('file.'));
    if (fileName !== null || !isOfName) throw error;
  }
  return (await decideOrganization(tx, { workflowId, chosen: organizationId })).organizationId;
}

/** By which way a caller's file comes. */
const cameBy = ({ kind }: Caller, { shop }: NamedFile): { source: AskedFile['source']; way?: WayIn } => ({
  source: kind === 'apiKey' ? 'ExternalApi' : 'ManualInjected',
  ...(shop && { way: wayOfShop[shop] }),
});

/** The values of the session: of its order, of the workflow's variables, and the number of the sender's own system. */
const valuesOf = ({ order, variables, externalId }: NamedFile) => ({
  ...orderValues(order),
  ...variables,
  ...(externalId !== undefined && { [externalIdName]: externalId }),
});

/**
 * Takes the address of a file. When this returns, the file is fetched whatever crashes, and `GET /arrivals/item` tells what
 * became of it. The same key fetches it once.
 * @throws ProblemError `address.blocked`, `delivery.differs`, `workflow.*`, `organization.*`, `quota.*`
 */
async function takeAddress(
  deps: ApiDeps,
  caller: Caller,
  given: ByAddress,
  key: DeliveryKey | undefined,
): Promise<Created> {
  const known = key ? await knownDelivery(deps, caller, key) : undefined;
  const url = new URL(given.fileUrl);
  if (!mayBeAsked(url, deps.env.outboundAllowedHosts)) throw problem('address.blocked', { host: url.host }, 'fileUrl');
  const from = cameBy(caller, given);
  const { workflowId, fileUrl, priority } = given;
  const variables = valuesOf(given);
  const externalId = externalIdOf(variables);
  const ingestKey = key?.key ?? newId('upload');
  const isDuplicate = await asCaller(deps, caller, async (tx) => {
    const fileName = knownName(given);
    const organizationId = known ? null : await demandAdmission(tx, { ...given, variables }, { fileName, ...from });
    const asked = { ingestKey, fileUrl, fileName, workflowId, variables, externalId, organizationId, priority };
    const by = { sourceName: caller.name, createdBy: actorOf(caller) };
    return (await askForFile(tx, { ...asked, ...from, ...by }, { isHere: known !== undefined })).isDuplicate;
  });
  if (known) return answer(deps, caller, known, true);
  return { id: null, status: null, isDuplicate, arrivalId: `${fetchSource} ${ingestKey}` };
}

/**
 * Makes a session of an upload that waits to be named. It becomes one, however often and under whatever key it is named; the
 * same key with other bytes is refused.
 * @throws ProblemError `upload.notFound`, `upload.incomplete`, `delivery.differs`, `file.*`, `workflow.*`, `organization.*`, `quota.*`
 */
async function takeUpload(
  deps: ApiDeps,
  caller: Caller,
  { uploadId, ...given }: NamedFile & { uploadId: string },
  key: DeliveryKey | undefined,
): Promise<Created> {
  const sender = senderOf(deps, caller);
  const upload = await sender
    .run((tx) => findUpload(tx, sender.principal, uploadId))
    .catch((error: unknown) => {
      throw inField(error, 'uploadId');
    });
  if (upload.sessionId !== null) return answer(deps, caller, upload.sessionId, true);
  if (upload.offset < upload.size) throw problem('upload.incomplete', {}, 'uploadId');
  const { workflowId, organizationId, priority } = given;
  const fileName = cleanFileName(given.fileName ?? upload.fileName);
  const [from, variables] = [cameBy(caller, given), valuesOf(given)];
  // What is refused is not stored: the upload stays, and can be named again.
  await sender.run((tx) => demandAdmission(tx, { ...given, variables }, { fileName, ...from }));
  const bytes = await storeUpload(deps, sender, upload);
  const { sessionId, isDuplicate } = await receive(deps, {
    context: contextOf(caller),
    workflowId,
    ...from,
    sourceName: caller.name,
    fileName,
    bytes,
    uploadId,
    variables,
    priority,
    createdBy: actorOf(caller),
    ingest: key ? { kind: 'api', key: key.key } : { kind: 'tus', key: uploadId },
    ...(organizationId && { organizationId }),
  }).catch(async (error: unknown) => {
    await noteUnused(deps, caller, bytes);
    throw error;
  });
  if (isDuplicate && !(await isItsFile(deps, caller, sessionId, bytes.sha256))) {
    await noteUnused(deps, caller, bytes);
    throw problem('delivery.differs', {}, 'Idempotency-Key');
  }
  return answer(deps, caller, sessionId, isDuplicate);
}

/** A problem that is about a field, as the caller wrote it. */
const inField = (error: unknown, field: string): unknown =>
  error instanceof ProblemError ? new ProblemError(error.problems.map((one) => ({ ...one, field }))) : error;

/** Takes a file by what names it; its schema has seen to it that this is one of the two. */
const takeNamed = (
  deps: ApiDeps,
  caller: Caller,
  { fileUrl, uploadId, ...given }: NamedFile,
  key: DeliveryKey | undefined,
): Promise<Created> =>
  uploadId === undefined
    ? takeAddress(deps, caller, { ...given, fileUrl: fileUrl ?? '' }, key)
    : takeUpload(deps, caller, { ...given, uploadId }, key);

/** Takes the address of a file, or its upload (JSON). The same `Idempotency-Key` makes one session. */
export const createNamed = (deps: ApiDeps, caller: Caller, request: FastifyRequest): Promise<Created> =>
  takeNamed(
    deps,
    caller,
    readPart(namedFileSchema, request.body, 'body') as NamedFile,
    deliveryKey(caller, request.headers['idempotency-key']),
  );

type Answer = RouteResult<typeof routes.sessions.createMany>[number];

/**
 * Takes the addresses or uploads of several files, one after the other: whatever is wrong with one is told of that one, and the others are
 * taken.
 */
export async function createMany(
  deps: ApiDeps,
  caller: Caller,
  request: FastifyRequest,
  items: readonly unknown[],
): Promise<Answer[]> {
  const header = request.headers['idempotency-key'];
  // A key that is none is the fault of the request, not of its items.
  deliveryKey(caller, header);
  const answers: Answer[] = [];
  for (const [at, item] of items.entries()) {
    try {
      const { idempotencyKey, ...given } = readPart(batchItemSchema, item, 'body') as z.output<typeof batchItemSchema>;
      const key = idempotencyKey ?? (header === undefined ? undefined : `${header} ${at + 1}`);
      const created = await takeNamed(deps, caller, given, key === undefined ? undefined : keyOf(caller, key));
      answers.push({ created, errors: [] });
    } catch (error) {
      answers.push({ created: null, errors: tell(request, error) });
    }
  }
  return answers;
}

/** Why an item was refused, in the language of the reader; what nobody expected is in the log. */
function tell(request: FastifyRequest, error: unknown): WireError[] {
  const told = wireErrorsOf(request, error);
  if (told) return told;
  request.log.error({ err: error }, 'an item of a batch failed unexpectedly');
  return [wireError(localeOf(request), { code: 'internal.unexpected', params: { requestId: request.id } })];
}
