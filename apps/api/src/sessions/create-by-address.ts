import {
  batchItemSchema,
  cleanFileName,
  externalIdName,
  externalIdOf,
  fileTypeOf,
  orderValues,
  ProblemError,
  problem,
  type RouteResult,
  type routes,
  type SessionByAddress,
  sessionByAddressSchema,
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
import type { ApiDeps } from '../deps.ts';
import { actorOf, type Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf, wireError, wireErrorsOf } from '../frame/errors.ts';
import { readPart } from '../frame/read-part.ts';
import { answer, type Created, type DeliveryKey, deliveryKey, keyOf, knownDelivery } from './create.ts';

/** The name that the file will have, as far as it is known before its server was asked. */
function knownName({ fileName, fileUrl }: SessionByAddress): string | null {
  const name = fileName ?? nameInPath(fileUrl);
  return fileName !== undefined || fileTypeOf(name) ? cleanFileName(name) : null;
}

/**
 * Refuses at once what would be refused when the file is here: what is not the fault of the file is the caller's to know.
 * @throws ProblemError
 */
async function demandAdmission(
  tx: Transaction,
  { workflowId, variables, organizationId }: SessionByAddress,
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

/**
 * Takes the address of a file. When this returns, the file is fetched whatever crashes, and `GET /arrivals/item` tells what
 * became of it. The same key fetches it once.
 * @throws ProblemError `address.blocked`, `delivery.differs`, `workflow.*`, `organization.*`, `quota.*`
 */
async function takeAddress(
  deps: ApiDeps,
  caller: Caller,
  given: SessionByAddress,
  key: DeliveryKey | undefined,
): Promise<Created> {
  const known = key ? await knownDelivery(deps, caller, key) : undefined;
  const url = new URL(given.fileUrl);
  if (!mayBeAsked(url, deps.env.outboundAllowedHosts)) throw problem('address.blocked', { host: url.host }, 'fileUrl');
  const source: AskedFile['source'] = caller.kind === 'apiKey' ? 'ExternalApi' : 'ManualInjected';
  const from = { source, ...(given.shop && { way: wayOfShop[given.shop] }) };
  const { workflowId, fileUrl, order, priority } = given;
  const own = given.externalId === undefined ? {} : { [externalIdName]: given.externalId };
  const variables = { ...orderValues(order), ...given.variables, ...own };
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

/** Takes the address of a file (JSON). The same `Idempotency-Key` fetches it once. */
export const createByAddress = (deps: ApiDeps, caller: Caller, request: FastifyRequest): Promise<Created> =>
  takeAddress(
    deps,
    caller,
    readPart(sessionByAddressSchema, request.body, 'body') as SessionByAddress,
    deliveryKey(caller, request.headers['idempotency-key']),
  );

type Answer = RouteResult<typeof routes.sessions.createMany>[number];

/**
 * Takes the addresses of several files, one after the other: whatever is wrong with one is told of that one, and the others are
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
      const created = await takeAddress(deps, caller, given, key === undefined ? undefined : keyOf(caller, key));
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
