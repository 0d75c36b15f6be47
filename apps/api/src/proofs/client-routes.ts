import { problem, routes } from '@pdf2press/contract';
import {
  type Actor,
  askForCertificate,
  askForPictureCopy,
  attachToNote,
  decideProof,
  demandHere,
  findPictureCopy,
  lookAt,
  noteDeciding,
  noteDownload,
  pagesOfSheets,
  readNotePlaces,
  readNotesPage,
  removeNote,
  replaceFile,
  settingsOf,
  writeNote,
} from '@pdf2press/engine';
import type { Transaction } from '@pdf2press/prisma';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { localeOf, notFound } from '../frame/errors.ts';
import { found } from '../frame/rows.ts';
import { readParts, readPast } from '../sessions/create.ts';
import { sendPdf } from '../sessions/download.ts';
import { readPages, sendThumbnail, sendTile } from '../sessions/pages.ts';
import { sendNoteFile, takeNoteFile } from './attachments.ts';
import { readCertificate, sendCertificate } from './certificate.ts';
import { canReplaceFile, fileBefore, readClientFindings, readClientFixes, readClientProof } from './client-proof.ts';
import { enterLinkCode, mailLinkCode } from './link-codes.ts';
import { type LinkCall, type OpenedLink, openReadable, openUnguarded, readLink } from './open-link.ts';
import { plainPage } from './plain/plain-page.ts';
import { readPlainProof } from './plain/read-plain-proof.ts';

/** Who acts through a link, for history and audit. */
const actorOf = ({ recipient }: OpenedLink): Actor & { id: string } => ({
  kind: 'customer',
  id: recipient.id,
  name: recipient.name || recipient.email,
});

/** The file of a proof in one of its versions; nothing else of the session can be named. @throws ProblemError `resource.notFound` */
async function pagesOf(
  deps: ApiDeps,
  { context, proof }: OpenedLink,
  version: 'original' | 'production' | 'previous' | 'pages',
): Promise<{ context: OpenedLink['context']; id: string; version: string }> {
  if (version === 'original' && !settingsOf(proof).show.original) throw notFound();
  if (version === 'pages' && settingsOf(proof).show.pages === false) throw notFound();
  const fileIds = {
    original: async () => proof.originalFileId,
    production: async () => proof.fileId,
    previous: async () => (await deps.db.withSubscriber(context, (tx) => fileBefore(tx, proof)))?.fileId,
    pages: async () => (await deps.db.withSubscriber(context, (tx) => pagesOfSheets(tx, proof)))?.fileId,
  };
  return { context, id: proof.sessionId, version: found((await fileIds[version]()) ?? null) };
}

/** @throws ProblemError `page.notReady` until the file was looked at */
async function pageCountOf(deps: ApiDeps, link: OpenedLink): Promise<number> {
  const { context, id, version } = await pagesOf(deps, link, 'production');
  return (await readPages(deps, context, id, version)).pages.length;
}

/** Sends a file of the proof, as an attachment; the house sees who has loaded it. @throws ProblemError `file.archived` and the like */
async function sendLoaded(
  deps: ApiDeps,
  link: OpenedLink,
  { request, reply }: Pick<LinkCall, 'request' | 'reply'>,
  find: (tx: Transaction) => Promise<{ id: string; sha256: string; size: bigint; name: string } | null>,
) {
  const { context, proof, recipient } = link;
  const file = await deps.db.withSubscriber(context, async (tx) => {
    const row = found(await find(tx));
    await demandHere(tx, row.sha256);
    await noteDownload(tx, { proof, recipient, file: row });
    const after = { sessionId: proof.sessionId, proofId: proof.id, name: row.name };
    await audit(tx, request, { act: 'proof.download', object: row.id, after, ...context, actor: actorOf(link) });
    return row;
  });
  return sendPdf(deps, reply, context, file);
}

/** The link of a proof whose recipients may load this. @throws ProblemError `resource.notFound` */
async function openLoadable(
  deps: ApiDeps,
  call: LinkCall,
  kind: ReturnType<typeof settingsOf>['allowDownload'],
): Promise<OpenedLink> {
  const link = await openReadable(deps, call);
  if (settingsOf(link.proof).allowDownload !== kind) throw notFound();
  return link;
}

/** Takes a corrected file: the workflow runs again, and this version of the proof is over. */
async function takeFile(deps: ApiDeps, link: OpenedLink, request: FastifyRequest): Promise<void> {
  const { context, proof } = link;
  if (!canReplaceFile(link)) {
    await readPast(request);
    throw problem('proof.replacementNotPossible');
  }
  if (!request.isMultipart()) throw problem('request.notJson');
  const { file } = await readParts(deps, context, request);
  if (!file) throw problem('file.missing', {}, 'file');
  const by = actorOf(link);
  const after = { name: file.name, sha256: file.sha256, proofId: proof.id };
  await replaceFile(deps.engine, context, {
    sessionId: proof.sessionId,
    by,
    file,
    alongside: (tx) =>
      audit(tx, request, { act: 'proof.replaceFile', object: proof.sessionId, after, ...context, actor: by }),
  });
}

/** Long because it is a list: one handler per route of the contract. Every one begins by opening the link. */
export function bindClientProofs(bind: Bind, deps: ApiDeps): void {
  const { clientProofs } = routes;

  /** What a link shows now. */
  const shown = (call: LinkCall) =>
    readLink(deps, call, (tx, link) => readClientProof(deps, tx, link, localeOf(call.request)));

  bind(clientProofs.get, shown);

  bind(clientProofs.sendCode, async (call) => {
    await mailLinkCode(deps, call);
    return {};
  });

  bind(clientProofs.enterCode, async (call) => {
    const link = await enterLinkCode(deps, call, call.body.code);
    return deps.db.withSubscriber(link.context, (tx) => readClientProof(deps, tx, link, localeOf(call.request)));
  });

  bind(clientProofs.findings, async (call) =>
    readClientFindings(deps, await openReadable(deps, call), localeOf(call.request)),
  );

  bind(clientProofs.fixes, async (call) =>
    readClientFixes(deps, await openReadable(deps, call), localeOf(call.request)),
  );

  bind(clientProofs.pages, async (call) => {
    const link = await openReadable(deps, call);
    const { context, id, version } = await pagesOf(deps, link, call.query.version);
    const shown = { ...(await readPages(deps, context, id, version)), version: call.query.version };
    if (settingsOf(link.proof).show.separations) return shown;
    return { ...shown, pages: shown.pages.map((page) => ({ ...page, inks: [] })) };
  });

  bind(clientProofs.tile, async (call) => {
    const link = await openReadable(deps, call);
    const { request, reply, params, query } = call;
    const { page, version, layer, dpi, tile } = params;
    if (layer.startsWith('ink-') && !settingsOf(link.proof).show.separations) throw notFound();
    return sendTile(deps, {
      request,
      reply,
      ...(await pagesOf(deps, link, version)),
      page,
      name: `${layer}/${dpi}/${tile}`,
      v: query.v,
    });
  });

  bind(clientProofs.thumbnail, async (call) => {
    const link = await openReadable(deps, call);
    const { request, reply, params, query } = call;
    const { page } = params;
    return sendThumbnail(deps, { request, reply, ...(await pagesOf(deps, link, query.version)), page, v: query.v });
  });

  bind(clientProofs.file, async (call) => {
    const link = await openLoadable(deps, call, 'production');
    return sendLoaded(deps, link, call, (tx) =>
      tx.file.findFirst({ where: { id: link.proof.fileId, removedAt: null } }),
    );
  });

  bind(clientProofs.pictureCopy, async (call) => {
    const { context, proof, recipient } = await openLoadable(deps, call, 'lowResolution');
    const { sessionId, proofStepId } = call.params;
    const asked = { proof, recipientId: recipient.id };
    const made = await deps.db.withSubscriber(context, (tx) => findPictureCopy(tx, asked));
    if (made)
      return { name: made.name, downloadUrl: `/api/client-proofing/${sessionId}/${proofStepId}/picture-copy.pdf` };
    const { state } = await askForPictureCopy(deps.engine, context, asked);
    if (state === 'dead') throw problem('proof.pictureCopyNotPossible');
    return { name: '', downloadUrl: null };
  });

  bind(clientProofs.pictureCopyFile, async (call) => {
    const link = await openLoadable(deps, call, 'lowResolution');
    const asked = { proof: link.proof, recipientId: link.recipient.id };
    return sendLoaded(deps, link, call, (tx) => findPictureCopy(tx, asked));
  });

  bind(clientProofs.certificate, async (call) => {
    const { context, proof } = await openReadable(deps, call);
    const { sessionId, proofStepId } = call.params;
    const wanted = { context, proofId: proof.id, locale: localeOf(call.request) };
    return readCertificate(deps, wanted, `/api/client-proofing/${sessionId}/${proofStepId}/certificate.pdf`);
  });

  bind(clientProofs.certificateFile, async (call) => {
    const { context, proof } = await openReadable(deps, call);
    const wanted = { context, proofId: proof.id, locale: localeOf(call.request) };
    return sendCertificate(deps, wanted, call.reply);
  });

  bind(clientProofs.plain, async (call) => {
    const { reply, query } = call;
    reply.type('text/html; charset=utf-8');
    return plainPage(await readLink(deps, call, (tx, link) => readPlainProof(deps, tx, link, call, query.receipt)));
  });

  bind(clientProofs.askForReceipt, async (call) => {
    await readPast(call.request);
    const { context, proof } = await openReadable(deps, call);
    const { state } = await askForCertificate(deps.engine, context, {
      proofId: proof.id,
      locale: localeOf(call.request),
    });
    call.reply.redirect(`plain?receipt=${state === 'dead' ? 'notPossible' : 'underway'}`, 303);
    return undefined;
  });

  bind(clientProofs.look, async (call) => {
    const { context, recipient } = await openReadable(deps, call);
    const { isNew, pages } = call.body;
    await lookAt(deps.engine, context, { recipientId: recipient.id, isNew, pages });
    return {};
  });

  bind(clientProofs.deciding, async (call) => {
    const { context, proof, recipient } = await openReadable(deps, call);
    const { isDeciding } = call.body;
    await noteDeciding(deps.engine, context, { proofId: proof.id, recipientId: recipient.id, isDeciding });
    return {};
  });

  bind(clientProofs.decide, async (call) => {
    const { request, body } = call;
    const link = await openUnguarded(deps, call);
    const { context, proof, recipient } = link;
    const { key, timeZone, isChange, ...given } = body;
    const locale = localeOf(request);
    const by = { ...actorOf(link), name: given.name || actorOf(link).name };
    const after = { proofId: proof.id, decision: given.decision, sha256: given.sha256 };
    await decideProof(deps.engine, context, {
      proofId: proof.id,
      recipientId: recipient.id,
      given,
      ...(settingsOf(proof).pageLevel === 'page' && { pageCount: await pageCountOf(deps, link) }),
      key,
      by,
      isChange,
      from: { ip: request.ip, userAgent: request.headers['user-agent'] ?? '', locale, timeZone },
      alongside: (tx) =>
        audit(tx, request, { act: 'proof.decide', object: proof.sessionId, after, ...context, actor: by }),
    });
    return shown(call);
  });

  /** What is read of the notes; none where the profile has none. */
  const ofNotes = <T>({ context, proof }: OpenedLink, read: (tx: Transaction) => Promise<T>, none: T): Promise<T> =>
    settingsOf(proof).allowNotes ? deps.db.withSubscriber(context, read) : Promise.resolve(none);
  /** What a reader does with a note: only while the own answer is open. */
  const noted = async (call: LinkCall, act: 'note' | 'removeNote' | 'addNoteFile') => {
    const link = await openReadable(deps, call);
    const { context, proof, recipient, state } = link;
    if (state !== 'open') throw problem('proof.notesNotPossible');
    const actor = actorOf(link);
    const after = { proofId: proof.id };
    const alongside = (tx: Transaction) =>
      audit(tx, call.request, { act: `proof.${act}`, object: proof.sessionId, after, ...context, actor });
    return { link, proofId: proof.id, by: { recipientId: recipient.id, name: actor.name }, alongside };
  };

  bind(clientProofs.notes, async (call) => {
    const link = await openReadable(deps, call);
    const { proof, recipient } = link;
    const read = (tx: Transaction) => readNotesPage(tx, proof.id, recipient.id, call.query);
    return ofNotes(link, read, { items: [], total: 0, ...call.query });
  });

  bind(clientProofs.notePlaces, async (call) => {
    const link = await openReadable(deps, call);
    const read = (tx: Transaction) => readNotePlaces(tx, link.proof.id, call.query.on ?? []);
    return ofNotes(link, read, { total: 0, pages: [], places: [], undrawn: 0 });
  });

  bind(clientProofs.addNote, async (call) => {
    const { link, ...ask } = await noted(call, 'note');
    return writeNote(deps.engine, link.context, { ...ask, ...call.body });
  });

  bind(clientProofs.removeNote, async (call) => {
    const { link, ...ask } = await noted(call, 'removeNote');
    await removeNote(deps.engine, link.context, { ...ask, noteId: call.params.noteId });
    return {};
  });

  bind(clientProofs.addNoteFile, async (call) => {
    const { link, ...ask } = await noted(call, 'addNoteFile').catch(async (error: unknown) => {
      await readPast(call.request);
      throw error;
    });
    const { noteId } = call.params;
    await takeNoteFile(deps, link.context, call.request, (file) =>
      attachToNote(deps.engine, link.context, { ...ask, noteId, file }),
    );
    return {};
  });

  bind(clientProofs.noteFile, async (call) => {
    const link = await openReadable(deps, call);
    const { context, proof } = link;
    const { noteId, fileId } = call.params;
    if (!settingsOf(proof).allowNotes) throw notFound();
    const alongside = (tx: Transaction, name: string) => {
      const after = { sessionId: proof.sessionId, proofId: proof.id, name };
      return audit(tx, call.request, {
        act: 'proof.download',
        object: fileId,
        after,
        ...context,
        actor: actorOf(link),
      });
    };
    return sendNoteFile(deps, context, { proofId: proof.id, noteId, fileId, alongside }, call);
  });

  bind(clientProofs.replaceFile, async (call) => {
    await takeFile(deps, await openReadable(deps, call), call.request);
    return {};
  });
}
