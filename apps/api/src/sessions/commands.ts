import { type BulkAction, isActionOpen, problem, type SessionAction } from '@pdf2press/contract';
import {
  archiveSession,
  cancelSession,
  continueSession,
  deleteSession,
  replaceFile,
  restartSession,
  resumeSession,
  type SessionCommand,
  stopSession,
  unarchiveSession,
} from '@pdf2press/engine';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import { actorOf, type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { InvalidRequestError } from '../frame/read-part.ts';
import { found } from '../frame/rows.ts';
import { readParts, readPast } from './create.ts';
import { listSelect, stateOf } from './read-list.ts';

type Ask = Omit<SessionCommand, 'by'>;

const commands: Record<BulkAction, typeof stopSession> = {
  stop: stopSession,
  resume: resumeSession,
  continue: continueSession,
  restart: restartSession,
  cancel: cancelSession,
  archive: archiveSession,
  unarchive: unarchiveSession,
  delete: deleteSession,
};

/** Ends of a session's work are kept in the audit log besides; its own history tells of every command. */
const audited: ReadonlySet<SessionAction> = new Set(['cancel', 'delete']);

/** Has the engine do what the caller asks, on the caller's behalf. @throws ProblemError what keeps it from it */
export async function commandSession(
  deps: ApiDeps,
  { caller, request, action, ask }: { caller: Caller; request: FastifyRequest; action: BulkAction; ask: Ask },
): Promise<void> {
  await commands[action](deps.engine, contextOf(caller), { ...ask, by: actorOf(caller) });
  if (audited.has(action))
    await asCaller(deps, caller, (tx) => audit(tx, request, { act: `session.${action}`, object: ask.sessionId }));
}

function readVersion(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const version = Number(text);
  if (!Number.isInteger(version)) throw new InvalidRequestError([{ code: 'value.integer', field: 'version' }]);
  return version;
}

/**
 * Takes another file for a session, by multipart, and has its workflow run again. Whether the session may have it is
 * looked at before the bytes come, and once more by the engine.
 * @throws ProblemError `file.missing`, `file.tooLarge`, `session.actionNotAllowed`, `session.deleted`
 */
export async function replaceSessionFile(
  deps: ApiDeps,
  { caller, request, id }: { caller: Caller; request: FastifyRequest; id: string },
): Promise<void> {
  const row = await asCaller(deps, caller, (tx) => tx.session.findFirst({ where: { id }, select: listSelect }));
  if (!row || !isActionOpen('replaceFile', stateOf(row))) await readPast(request);
  const session = found(row);
  if (!request.isMultipart()) throw problem('request.notJson');
  if (session.deletedAt) throw problem('session.deleted');
  if (!isActionOpen('replaceFile', stateOf(session)))
    throw problem('session.actionNotAllowed', { status: session.status });
  const { file, fields } = await readParts(deps, caller, request);
  if (!file) throw problem('file.missing', {}, 'file');
  const version = readVersion(fields.get('version'));
  const by = actorOf(caller);
  const ask = { sessionId: id, by, file, ...(version !== undefined && { version }) };
  await replaceFile(deps.engine, contextOf(caller), ask);
  const after = { name: file.name, sha256: file.sha256 };
  await asCaller(deps, caller, (tx) => audit(tx, request, { act: 'session.replaceFile', object: id, after }));
}
