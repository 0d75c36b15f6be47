import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  externalIdName,
  externalIdSchema,
  maxSidecarBytes,
  orderSchema,
  orderValues,
  ProblemError,
  problem,
  type RouteResult,
  type routes,
  type SessionPriority,
  type Sidecar,
  sessionPrioritySchema,
  shopSchema,
  type VariableValues,
  type WayIn,
  wayOfShop,
} from '@pdf2press/contract';
import { demandInPlan, largestFile, writeBlobs } from '@pdf2press/engine';
import type { Stored } from '@pdf2press/storage';
import type { FastifyRequest } from 'fastify';
import { receive } from '../arrivals/receive.ts';
import type { ApiDeps } from '../deps.ts';
import { actorOf, type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { readJson } from '../frame/parsers.ts';
import { faultsOf, InvalidRequestError, unstorableAt } from '../frame/read-part.ts';
import { demandRoom } from '../uploads/demand-room.ts';

export type Created = RouteResult<typeof routes.sessions.create>;

export interface DeliveryKey {
  /** Of the subscriber, so that a repetition after a key was exchanged for a new one is still known. */
  key: string;
  /** As it was written when it held the sender. */
  earlier: string;
}

export const keyOf = ({ kind, id }: Caller, text: string): DeliveryKey => ({
  key: `key:${text}`,
  earlier: `${kind}:${id}:${text}`,
});

/** The key of a delivery as the header `Idempotency-Key` says it. */
export function deliveryKey(caller: Caller, header: string | string[] | undefined): DeliveryKey | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || header.length === 0 || header.length > 200)
    throw new InvalidRequestError([{ code: 'value.maxLength', params: { max: 200 }, field: 'Idempotency-Key' }]);
  return keyOf(caller, header);
}

/** A multipart field that holds one JSON object; a missing field is an empty object. */
export function readObjectField(text: string | undefined, field: string): Record<string, unknown> {
  if (!text) return {};
  const invalid = new InvalidRequestError([{ code: 'value.invalid', field }]);
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    throw invalid;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || unstorableAt(value)) throw invalid;
  return value as Record<string, unknown>;
}

/**
 * The field `variables`, with the number of the sender's own system among them. A list or an object is refused: it is no value
 * of a variable, and would be lost without a word.
 */
export function readValues(text: string | undefined, externalId?: string): Record<string, unknown> {
  const values = readObjectField(text, 'variables');
  const nested = Object.keys(values).filter((name) => typeof values[name] === 'object' && values[name] !== null);
  if (nested.length > 0)
    throw new InvalidRequestError(
      nested.map((name) => ({ code: 'workflow.variableInvalid', params: { name }, field: `variables.${name}` })),
      422,
    );
  if (!externalId) return values;
  const read = externalIdSchema.safeParse(externalId);
  if (!read.success) throw new InvalidRequestError(faultsOf(read.error, 'externalId'));
  if (unstorableAt(read.data)) throw new InvalidRequestError([{ code: 'value.invalid', field: 'externalId' }]);
  return { ...values, [externalIdName]: read.data };
}

/** The field `order`: values of the session, the number of the sender's own system among them. */
function readOrder(text: string | undefined): VariableValues {
  const read = orderSchema.safeParse(readObjectField(text, 'order'), { reportInput: true });
  if (!read.success) throw new InvalidRequestError(faultsOf(read.error, 'order'));
  return orderValues(read.data);
}

/** The field `shop`: the way into the workflow that it has; none without it. */
function readShop(text: string | undefined): { way?: WayIn } {
  if (!text) return {};
  const read = shopSchema.safeParse(text);
  if (!read.success) throw new InvalidRequestError([{ code: 'value.invalid', field: 'shop' }]);
  return { way: wayOfShop[read.data] };
}

/** The field `priority`; a missing one is normal. */
function readPriority(text: string | undefined): SessionPriority {
  const read = sessionPrioritySchema.safeParse(text || 'Normal');
  if (!read.success) throw new InvalidRequestError([{ code: 'value.invalid', field: 'priority' }]);
  return read.data;
}

/** @throws ProblemError `delivery.differs` where the delivery's session is one that the caller may not see */
export async function answer(deps: ApiDeps, caller: Caller, id: string, isDuplicate: boolean): Promise<Created> {
  const session = await asCaller(deps, caller, (tx) =>
    tx.session.findUnique({ where: { id }, select: { status: true } }),
  );
  if (!session) throw problem('delivery.differs', {}, 'Idempotency-Key');
  return { id, status: session.status, isDuplicate, arrivalId: null };
}

export async function knownDelivery(
  deps: ApiDeps,
  caller: Caller,
  { key, earlier }: DeliveryKey,
): Promise<string | undefined> {
  const item = await asCaller(deps, caller, (tx) =>
    tx.ingestItem.findFirst({ where: { sourceKind: 'api', sourceKey: { in: [key, earlier] }, state: 'Accepted' } }),
  );
  return item?.sessionId ?? undefined;
}

/** Whether these are the bytes that the session began with. */
export const isItsFile = (deps: ApiDeps, caller: Caller, sessionId: string, sha256: string): Promise<boolean> =>
  asCaller(deps, caller, async (tx) => {
    const [first] = await tx.file.findMany({
      where: { sessionId, kind: 'OriginalFile' },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      select: { sha256: true },
      take: 1,
    });
    return first?.sha256 === sha256;
  });

/**
 * The answer to a repeated delivery: the session of the first. Its file is read to its end, and stored nowhere.
 * @throws ProblemError `delivery.differs` where it is another file, which would be lost without a word
 */
async function answerAgain(deps: ApiDeps, caller: Caller, request: FastifyRequest, id: string): Promise<Created> {
  const { file } = await inForm(async () => {
    const parts: { file?: string } = {};
    for await (const part of request.parts()) {
      if (part.type === 'field') continue;
      if (part.fieldname === 'sidecar' || parts.file !== undefined) {
        part.file.resume();
        continue;
      }
      const hash = createHash('sha256');
      for await (const piece of part.file) hash.update(piece);
      parts.file = hash.digest('hex');
    }
    return parts;
  });
  if (file !== undefined && !(await isItsFile(deps, caller, id, file)))
    throw problem('delivery.differs', {}, 'Idempotency-Key');
  return answer(deps, caller, id, true);
}

export interface Parts {
  file?: Stored & { name: string };
  sidecar?: Sidecar;
  fields: Map<string, string>;
}

/** Messages of the multipart parser for a malformed form; it has no codes. */
const brokenForm = /multipart|boundary|part header|part terminated|end of form/i;

/** A small part as text. @throws ProblemError `sidecar.tooLarge` */
async function readText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > maxSidecarBytes) throw problem('sidecar.tooLarge', { limit: maxSidecarBytes }, 'sidecar');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Reads the parts in any order; the file goes to the store as it arrives. */
async function collectParts(
  deps: ApiDeps,
  { subscriberId }: Pick<Caller, 'subscriberId'>,
  request: FastifyRequest,
  maxBytes: number,
): Promise<Parts> {
  const parts: Parts = { fields: new Map() };
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      parts.fields.set(part.fieldname, String(part.value));
    } else if (part.fieldname === 'sidecar') {
      parts.sidecar = { name: part.filename, text: await readText(part.file) };
    } else if (parts.file) {
      part.file.resume(); // One delivery has one file; further files are read and dropped.
    } else {
      const stored = await deps.storage.put({ subscriberId, bytes: part.file, maxBytes });
      parts.file = { ...stored, name: part.filename };
    }
  }
  return parts;
}

/** Reads a form. @throws ProblemError `request.invalid` for one that is incomplete or malformed */
async function inForm<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && !(error instanceof ProblemError) && brokenForm.test(error.message))
      throw new ProblemError({ code: 'request.invalid' }, { cause: error });
    throw error;
  }
}

/**
 * The parts of a form, the file stored. Asked for room first.
 * @throws ProblemError `request.invalid`, `storage.full`
 */
export async function readParts(
  deps: ApiDeps,
  caller: Pick<Caller, 'subscriberId'>,
  request: FastifyRequest,
  maxBytes: number = deps.env.maxUploadBytes,
): Promise<Parts> {
  await demandRoom(deps.storage, Number(request.headers['content-length'] ?? 0));
  return inForm(() => collectParts(deps, caller, request, maxBytes));
}

/** Reads the rest of the request, so that the sender gets the answer instead of a closed connection. */
export async function readPast(request: FastifyRequest): Promise<void> {
  if (request.raw.readableEnded) return;
  request.raw.resume();
  await once(request.raw, 'end', { signal: AbortSignal.timeout(30_000) }).catch(() => undefined);
}

/** Gives bytes that no session took a row, by which the collector finds and removes them. */
export const noteUnused = (deps: ApiDeps, caller: Caller, { sha256, size }: Stored): Promise<void> =>
  asCaller(deps, caller, (tx) => writeBlobs(tx, [{ sha256, size }])).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'bytes of a refused file have no row'),
  );

/**
 * Takes a file by multipart: fields `file`, `workflowId`, `variables` (JSON), `organizationId`, `priority`,
 * `externalId` (the number of the sender's own system), `order` (JSON), `shop`, `sidecar` (a file with values for the variables). The same `Idempotency-Key` gives the session of the first delivery, without a time limit.
 * @throws ProblemError `delivery.differs`, `file.*`, `sidecar.*`, `workflow.*`, `organization.*`, `quota.*`
 */
export async function createSession(deps: ApiDeps, caller: Caller, request: FastifyRequest): Promise<Created> {
  const key = deliveryKey(caller, request.headers['idempotency-key']);
  const known = key ? await knownDelivery(deps, caller, key) : undefined;
  if (known) return answerAgain(deps, caller, request, known);
  const limit = await asCaller(deps, caller, async (tx) => {
    await demandInPlan(tx);
    return largestFile(tx, deps.env.maxUploadBytes);
  });
  const { file, sidecar, fields } = await readParts(deps, caller, request, limit);
  const workflowId = fields.get('workflowId');
  if (!workflowId) {
    if (file) await noteUnused(deps, caller, file);
    throw new InvalidRequestError([{ code: 'value.required', field: 'workflowId' }]);
  }
  if (!file) throw problem('file.missing', {}, 'file');
  const organizationId = fields.get('organizationId');
  // A field that cannot be read refuses the file as well: its bytes are stored by now.
  const take = async () =>
    receive(deps, {
      context: contextOf(caller),
      workflowId,
      source: caller.kind === 'apiKey' ? 'ExternalApi' : 'ManualInjected',
      sourceName: caller.name,
      fileName: file.name,
      bytes: { sha256: file.sha256, size: file.size },
      ...readShop(fields.get('shop')),
      variables: {
        ...readOrder(fields.get('order')),
        ...readValues(fields.get('variables'), fields.get('externalId')),
      },
      priority: readPriority(fields.get('priority')),
      sidecar,
      createdBy: actorOf(caller),
      ingest: { kind: 'api', ...(key ? { key: key.key } : {}) },
      ...(organizationId ? { organizationId } : {}),
    });
  const { sessionId, isDuplicate } = await take().catch(async (error: unknown) => {
    await noteUnused(deps, caller, file);
    throw error;
  });
  // Of two first deliveries at the same moment, the second finds the session of the first only now.
  if (isDuplicate && !(await isItsFile(deps, caller, sessionId, file.sha256)))
    throw problem('delivery.differs', {}, 'Idempotency-Key');
  return answer(deps, caller, sessionId, isDuplicate);
}
