import {
  type AuditAct,
  type BulkAction,
  isActionOpen,
  problem,
  type SessionAction,
  type VariableValues,
} from '@pdf2press/contract';
import {
  archiveSession,
  cancelSession,
  continueSession,
  deleteSession,
  deprioritizeSession,
  prioritizeSession,
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
import { demandAction } from './read-holds.ts';
import { listSelect, stateOf } from './read-list.ts';

type Ask = Omit<SessionCommand, 'by' | 'alongside'> & { variables?: VariableValues };

const commands: Record<BulkAction, typeof stopSession> = {
  stop: stopSession,
  resume: resumeSession,
  prioritize: prioritizeSession,
  deprioritize: deprioritizeSession,
  continue: continueSession,
  restart: restartSession,
  cancel: cancelSession,
  archive: archiveSession,
  unarchive: unarchiveSession,
  delete: deleteSession,
};

/**
 * Actions that end a session's work, or move its files, are also in the audit log; the session's own history lists every
 * command.
 */
const audited = {
  archive: 'session.archive',
  cancel: 'session.cancel',
  delete: 'session.delete',
  unarchive: 'session.unarchive',
} as const satisfies Partial<Record<SessionAction, AuditAct>>;
const isAudited = (action: BulkAction): action is keyof typeof audited => action in audited;

/**
 * Runs a command of the engine on the caller's behalf.
 * @throws ProblemError `access.denied`, or why it is not possible
 */
export async function commandSession(
  deps: ApiDeps,
  { caller, request, action, ask }: { caller: Caller; request: FastifyRequest; action: BulkAction; ask: Ask },
): Promise<void> {
  const object = ask.sessionId;
  await demandAction(deps, caller, { action, sessionId: object });
  await commands[action](deps.engine, contextOf(caller), {
    ...ask,
    by: actorOf(caller),
    ...(isAudited(action) && { alongside: (tx) => audit(tx, request, { act: audited[action], object }) }),
  });
}

function readVersion(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const version = Number(text);
  if (!Number.isInteger(version)) throw new InvalidRequestError([{ code: 'value.integer', field: 'version' }]);
  return version;
}

/**
 * Takes another file for a session by multipart and runs its workflow again. Whether the session allows it is checked
 * before the bytes are read, and again by the engine.
 * @throws ProblemError `file.missing`, `file.tooLarge`, `session.actionNotAllowed`, `session.deleted`
 */
export async function replaceSessionFile(
  deps: ApiDeps,
  { caller, request, id }: { caller: Caller; request: FastifyRequest; id: string },
): Promise<void> {
  await demandAction(deps, caller, { action: 'replaceFile', sessionId: id }).catch(async (error) => {
    await readPast(request);
    throw error;
  });
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
  const after = { name: file.name, sha256: file.sha256 };
  await replaceFile(deps.engine, contextOf(caller), {
    sessionId: id,
    by,
    file,
    ...(version !== undefined && { version }),
    alongside: (tx) => audit(tx, request, { act: 'session.replaceFile', object: id, after }),
  });
}
