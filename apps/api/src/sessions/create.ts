import { once } from 'node:events';
import {
  maxSidecarBytes,
  ProblemError,
  problem,
  type RouteResult,
  type routes,
  type Sidecar,
} from '@pdf2press/contract';
import { receiveFile } from '@pdf2press/engine';
import type { Stored } from '@pdf2press/storage';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { actorOf, type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { InvalidRequestError } from '../frame/read-part.ts';

type Created = RouteResult<typeof routes.sessions.create>;

/** The key contains the sender, because two senders may use the same text. */
function deliveryKey(caller: Caller, request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || header.length === 0 || header.length > 200)
    throw new InvalidRequestError([{ code: 'value.maxLength', params: { max: 200 }, field: 'Idempotency-Key' }]);
  return `${caller.kind}:${caller.id}:${header}`;
}

/** A multipart field that holds one JSON object; a missing field is an empty object. */
export function readObjectField(text: string | undefined, field: string): Record<string, unknown> {
  if (!text) return {};
  try {
    const value: unknown = JSON.parse(text, (key, inner) => (key === '__proto__' ? undefined : inner));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below, together with JSON that is not an object.
  }
  throw new InvalidRequestError([{ code: 'value.invalid', field }]);
}

const answer = async (deps: ApiDeps, caller: Caller, id: string, isDuplicate: boolean): Promise<Created> => {
  const { status } = await asCaller(deps, caller, (tx) =>
    tx.session.findUniqueOrThrow({ where: { id }, select: { status: true } }),
  );
  return { id, status, isDuplicate };
};

async function knownDelivery(deps: ApiDeps, caller: Caller, key: string): Promise<string | undefined> {
  const item = await asCaller(deps, caller, (tx) =>
    tx.ingestItem.findFirst({ where: { sourceKind: 'api', sourceKey: key, state: 'Accepted' } }),
  );
  return item?.sessionId ?? undefined;
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

/** The parts of a form. @throws ProblemError `request.invalid` for one that is incomplete or malformed */
export async function readParts(
  deps: ApiDeps,
  caller: Pick<Caller, 'subscriberId'>,
  request: FastifyRequest,
  maxBytes: number = deps.env.maxUploadBytes,
): Promise<Parts> {
  try {
    return await collectParts(deps, caller, request, maxBytes);
  } catch (error) {
    if (error instanceof Error && !(error instanceof ProblemError) && brokenForm.test(error.message))
      throw new ProblemError({ code: 'request.invalid' }, { cause: error });
    throw error;
  }
}

/** Reads the rest of the request, so that the sender gets the answer instead of a closed connection. */
export async function readPast(request: FastifyRequest): Promise<void> {
  if (request.raw.readableEnded) return;
  request.raw.resume();
  await once(request.raw, 'end', { signal: AbortSignal.timeout(30_000) }).catch(() => undefined);
}

/**
 * Takes a file by multipart: fields `file`, `workflowId`, `variables` (JSON), `organizationId`, `sidecar` (a file with values
 * for the variables). The same `Idempotency-Key` gives the session of the first delivery, without a time limit.
 * @throws ProblemError `file.*`, `sidecar.*`, `workflow.*`, `organization.*`
 */
export async function createSession(deps: ApiDeps, caller: Caller, request: FastifyRequest): Promise<Created> {
  if (!request.isMultipart()) throw problem('request.notJson');
  const key = deliveryKey(caller, request);
  const known = key ? await knownDelivery(deps, caller, key) : undefined;
  if (known) {
    await readPast(request);
    return answer(deps, caller, known, true);
  }
  const { file, sidecar, fields } = await readParts(deps, caller, request);
  const workflowId = fields.get('workflowId');
  if (!workflowId) throw new InvalidRequestError([{ code: 'value.required', field: 'workflowId' }]);
  if (!file) throw problem('file.missing', {}, 'file');
  const organizationId = fields.get('organizationId');
  const { sessionId, isDuplicate } = await receiveFile(deps.engine, {
    context: contextOf(caller),
    workflowId,
    source: caller.kind === 'apiKey' ? 'ExternalApi' : 'ManualInjected',
    sourceName: caller.name,
    fileName: file.name,
    bytes: { sha256: file.sha256, size: file.size },
    variables: readObjectField(fields.get('variables'), 'variables'),
    sidecar,
    createdBy: actorOf(caller),
    ingest: { kind: 'api', ...(key ? { key } : {}) },
    ...(organizationId ? { organizationId } : {}),
  });
  return answer(deps, caller, sessionId, isDuplicate);
}
