import type { Readable } from 'node:stream';
import { cleanFileName, extensionOf, isActionOpen, problem, uniqueFileNames } from '@pdf2press/contract';
import { demandHere } from '@pdf2press/engine';
import { storedAs, type Transaction } from '@pdf2press/prisma';
import type { ResultFile } from '@pdf2press/steps/contracts';
import { ZipFile } from 'yazl';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';
import { attachment, type Exchange, sendBytes } from './download.ts';
import { stateOf } from './read-list.ts';

const fileSelect = { id: true, sessionId: true, name: true, mediaType: true, sha256: true, size: true } as const;

/** The file that a session ended with: for sessions that completed before their result was recorded. */
async function lastFile(tx: Transaction, id: string, runNo: number): Promise<ResultFile[]> {
  const where = { sessionId: id, removedAt: null };
  const orderBy = [{ createdAt: 'desc' }, { id: 'desc' }] as const;
  const made = await tx.file.findFirst({
    where: { ...where, runNo, kind: 'ProductionFile', mediaType: 'application/pdf' },
    orderBy: [...orderBy],
  });
  const file = made ?? (await tx.file.findFirst({ where: { ...where, kind: 'OriginalFile' }, orderBy: [...orderBy] }));
  return file ? [{ id: file.id, name: file.name }] : [];
}

/**
 * The files of a session's result under their names.
 * @throws ProblemError `resource.notFound`, `session.deleted`, `session.archived`, `session.resultMissing`
 */
async function resultOf(tx: Transaction, id: string) {
  const session = found(
    await tx.session.findFirst({
      where: { id, isTrial: false },
      select: {
        fileName: true,
        status: true,
        archiveState: true,
        deletedAt: true,
        stopRequestedAt: true,
        priority: true,
        decisions: true,
        runNo: true,
      },
    }),
  );
  if (session.deletedAt) throw problem('session.deleted');
  if (session.archiveState !== 'Unarchived') throw problem('session.archived');
  const missing = () => problem('session.resultMissing', { name: session.fileName });
  if (!isActionOpen('downloadResult', stateOf(session))) throw missing();
  const chosen =
    storedAs<{ result?: ResultFile[] }>(session.decisions).result ?? (await lastFile(tx, id, session.runNo));
  const rows = await tx.file.findMany({
    where: { sessionId: id, id: { in: chosen.map((file) => file.id) }, removedAt: null },
    select: fileSelect,
  });
  const files = chosen.flatMap(({ id: fileId, name }) => {
    const row = rows.find((each) => each.id === fileId);
    return row ? [{ ...row, name: cleanFileName(name) }] : [];
  });
  // Retention may have removed them.
  if (files.length < chosen.length || files.length === 0) throw missing();
  for (const { sha256 } of files) await demandHere(tx, sha256);
  return { fileName: session.fileName, files };
}

type Stored = Awaited<ReturnType<typeof resultOf>>['files'][number];

/** Files as one ZIP, read one after the other while it is sent; PDFs are compressed already. */
function zipOf(deps: ApiDeps, subscriberId: string, files: readonly Stored[]): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let open: Readable | undefined;
  const names = uniqueFileNames(files.map(({ name }) => name));
  for (const [at, { sha256, size }] of files.entries())
    zip.addReadStreamLazy(names[at] ?? '', { compress: false, size: Number(size) }, (answer) => {
      deps.storage.open({ subscriberId, sha256 }).then(
        (stream) => {
          open = stream;
          answer(null, stream);
        },
        (error: unknown) => output.destroy(error as Error),
      );
    });
  zip.on('error', (error) => output.destroy(error));
  // Who asked may go away before the end.
  output.on('close', () => open?.destroy());
  zip.end();
  return output;
}

/** Sends the results of sessions: one file as it is, several as a ZIP. */
async function send(
  deps: ApiDeps,
  exchange: Exchange,
  { ids, isZip, zipName }: { ids: readonly string[]; isZip: boolean; zipName?: string },
): Promise<unknown> {
  const { caller, request, reply } = exchange;
  const results = await asCaller(deps, caller, async (tx) => {
    const all = [];
    for (const id of new Set(ids)) {
      const result = await resultOf(tx, id);
      const names = result.files.map(({ name }) => name);
      await audit(tx, request, { act: 'session.downloadResult', object: id, after: { files: names } });
      all.push(result);
    }
    return all;
  });
  const files = results.flatMap((result) => result.files);
  const [first] = files;
  if (first && files.length === 1 && !isZip) return sendBytes(deps, exchange, first);
  const given = results[0]?.fileName ?? '';
  const name = zipName ?? `${given.slice(0, given.length - extensionOf(given).length)}.zip`;
  reply.headers({
    'Content-Type': 'application/zip',
    'Content-Disposition': attachment(name),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
  return reply.send(zipOf(deps, caller.subscriberId, files));
}

/** @throws ProblemError `resource.notFound`, `session.deleted`, `session.archived`, `session.resultMissing` */
export const sendResult = (deps: ApiDeps, exchange: Exchange, id: string): Promise<unknown> =>
  send(deps, exchange, { ids: [id], isZip: false });

/** @throws ProblemError as `sendResult`, before anything is sent */
export const sendResults = (deps: ApiDeps, exchange: Exchange, ids: readonly string[]): Promise<unknown> =>
  send(deps, exchange, { ids, isZip: true, zipName: `results-${new Date().toISOString().slice(0, 10)}.zip` });
