import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError, isActionOpen, problem, type RouteBody, type routes } from '@pdf2press/contract';
import { demandHere, replaceFile } from '@pdf2press/engine';
import { traced } from '@pdf2press/engine/tracing';
import type { Stored } from '@pdf2press/storage';
import { unlockFile } from '@pdf2press/tasks/unlock';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import { actorOf, type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';
import { demandAction } from './read-holds.ts';
import { listSelect, stateOf } from './read-list.ts';

interface Asked {
  caller: Caller;
  request: FastifyRequest;
  id: string;
  body: RouteBody<typeof routes.sessions.unlock>;
}

/** Child processes of this API that open files now; each may need as much memory as a step of a worker. */
let underway = 0;
const mostAtOnce = 2;

/** The file that the newest run of a session could not open for lack of its password. @throws ProblemError */
async function lockedFileOf(
  deps: ApiDeps,
  caller: Caller,
  { id, version }: { id: string; version: number | undefined },
): Promise<{ sha256: string; name: string }> {
  return asCaller(deps, caller, async (tx) => {
    const select = { ...listSelect, version: true, errorCode: true };
    const session = found(await tx.session.findFirst({ where: { id }, select }));
    if (session.deletedAt) throw problem('session.deleted');
    if (version !== undefined && version !== session.version) throw problem('resource.conflict');
    if (!isActionOpen('replaceFile', stateOf(session)))
      throw problem('session.actionNotAllowed', { status: session.status });
    if (session.errorCode !== 'PDF_ENCRYPTED') throw problem('session.notLocked');
    const file = await tx.file.findFirst({
      where: { sessionId: id, kind: 'OriginalFile', removedAt: null },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      select: { sha256: true, name: true },
    });
    await demandHere(tx, found(file).sha256);
    return found(file);
  });
}

/** What keeps the password from opening the file, as a problem. */
function problemOf(error: unknown): unknown {
  if (!(error instanceof FileFaultError)) return error;
  const { code, params } = error;
  if (code === 'PDF_ENCRYPTED' && params.isPasswordWrong) return problem('session.passwordWrong', {}, 'password');
  if (code === 'STORAGE_FULL') return problem('storage.full');
  return problem('session.unlockFailed', { code });
}

/** Stores a copy of a stored file without its password; the copy on the way is gone afterwards. @throws ProblemError */
async function storeUnlocked(
  deps: ApiDeps,
  blob: { subscriberId: string; sha256: string },
  password: string,
): Promise<Stored> {
  const workDir = await mkdtemp(path.join(deps.unlockFolder, 'file-'));
  const out = path.join(workDir, 'unlocked.pdf');
  try {
    await deps.storage.withLocalPath(blob, (locked) =>
      traced({ name: 'child unlock' }, () =>
        unlockFile({
          path: locked,
          password,
          out,
          workDir,
          signal: deps.stopping,
          timeFactor: deps.env.pdfTimeFactor,
        }),
      ),
    );
    return await deps.storage.put({ subscriberId: blob.subscriberId, bytes: createReadStream(out) });
  } catch (error) {
    throw problemOf(error);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/**
 * Opens the password-protected file of a failed session in a limited child process. A copy without password replaces it,
 * and the workflow runs again. The password is held in memory only, while the file is opened.
 * @throws ProblemError `session.passwordWrong`, `session.notLocked`, `session.unlockFailed`, and what keeps a file from
 * being replaced
 */
export async function unlockSession(deps: ApiDeps, { caller, request, id, body }: Asked): Promise<void> {
  await demandAction(deps, caller, { action: 'replaceFile', sessionId: id });
  const { password, version } = body;
  const { sha256, name } = await lockedFileOf(deps, caller, { id, version });
  if (underway >= mostAtOnce) throw problem('service.tooBusy');
  underway += 1;
  const stored = await storeUnlocked(deps, { subscriberId: caller.subscriberId, sha256 }, password).finally(() => {
    underway -= 1;
  });
  await replaceFile(deps.engine, contextOf(caller), {
    sessionId: id,
    by: actorOf(caller),
    file: { ...stored, name },
    isUnlocked: true,
    ...(version !== undefined && { version }),
    alongside: (tx) =>
      audit(tx, request, { act: 'session.unlock', object: id, after: { name, sha256: stored.sha256 } }),
  });
}
