import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type AuditAct, routes } from '@pdf2press/contract';
import {
  addRecipient,
  attachToNote,
  decideProof,
  eachNote,
  extendProof,
  markNote,
  readNotesPage,
  readPrivateNotes,
  removePrivateNote,
  resendLink,
  resolveNote,
  revokeLink,
  writeNote,
  writePrivateNote,
} from '@pdf2press/engine';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { actorOf, type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { localeOf } from '../frame/errors.ts';
import { found } from '../frame/rows.ts';
import { attachment } from '../sessions/download.ts';
import { sendNoteFile, takeNoteFile } from './attachments.ts';
import { readCertificate, sendCertificate } from './certificate.ts';
import { notesCsv, readNotesCopy, sendNotesCopy } from './notes-files.ts';
import { readSessionProof, readSessionProofs } from './read-proofs.ts';

/** What the house does with a proof, as the audit names it. */
type ProofAct = AuditAct extends infer Act ? (Act extends `proof.${infer Name}` ? Name : never) : never;

/** What the house sees and does of a session's proofs. */
export function bindProofs(bind: Bind, deps: ApiDeps): void {
  const { proofs } = routes;
  const read = (caller: Caller, params: { id: string; proofId: string }) =>
    asCaller(deps, caller, (tx) => readSessionProof(tx, params));
  const asked = (
    { caller, request, params }: { caller: Caller; request: FastifyRequest; params: { id: string; proofId: string } },
    act: ProofAct,
    after: Record<string, string | number | boolean>,
  ) => ({
    sessionId: params.id,
    proofId: params.proofId,
    by: actorOf(caller),
    alongside: (tx: Parameters<typeof audit>[0]) =>
      audit(tx, request, { act: `proof.${act}`, object: params.id, after: { proofId: params.proofId, ...after } }),
  });

  bind(proofs.list, ({ caller, params }) => asCaller(deps, caller, (tx) => readSessionProofs(tx, params.id)));

  /** Of a proof of the session; another's is answered as none. */
  const wanted = async (caller: Caller, request: FastifyRequest, { id, proofId }: { id: string; proofId: string }) => {
    await asCaller(deps, caller, async (tx) =>
      found(await tx.proof.findFirst({ where: { id: proofId, sessionId: id }, select: { id: true } })),
    );
    return { context: contextOf(caller), proofId, locale: localeOf(request) };
  };

  bind(proofs.certificate, async ({ caller, request, params: { id, proofId } }) =>
    readCertificate(
      deps,
      await wanted(caller, request, { id, proofId }),
      `/api/sessions/${id}/proofs/${proofId}/certificate.pdf`,
    ),
  );

  bind(proofs.certificateFile, async ({ caller, request, reply, params }) =>
    sendCertificate(deps, await wanted(caller, request, params), reply),
  );

  bind(proofs.addRecipient, async (call) => {
    const { caller, params, body } = call;
    await addRecipient(deps.engine, contextOf(caller), {
      ...asked(call, 'addRecipient', { email: body.email, isGatekeeper: body.isGatekeeper }),
      ...body,
    });
    return read(caller, params);
  });

  bind(proofs.resend, async (call) => {
    const { caller, params } = call;
    const { recipientId } = params;
    await resendLink(deps.engine, contextOf(caller), { ...asked(call, 'resend', { recipientId }), recipientId });
    return read(caller, params);
  });

  bind(proofs.revoke, async (call) => {
    const { caller, params } = call;
    const { recipientId } = params;
    await revokeLink(deps.engine, contextOf(caller), { ...asked(call, 'revoke', { recipientId }), recipientId });
    return read(caller, params);
  });

  bind(proofs.extend, async (call) => {
    const { caller, params, body } = call;
    await extendProof(deps.engine, contextOf(caller), { ...asked(call, 'extend', body), ...body });
    return read(caller, params);
  });

  /** What the house does with a note: its name and audit row. */
  const noted = async (call: Parameters<typeof asked>[0], act: ProofAct) => {
    await wanted(call.caller, call.request, call.params);
    const { proofId, by, alongside } = asked(call, act, {});
    return { proofId, by: { recipientId: null, name: by.name }, alongside };
  };

  bind(proofs.notes, async ({ caller, request, params, query }) => {
    const { proofId } = await wanted(caller, request, params);
    return asCaller(deps, caller, (tx) => readNotesPage(tx, proofId, null, query));
  });

  bind(proofs.notesTable, async ({ caller, request, reply, params }) => {
    const { proofId } = await wanted(caller, request, params);
    reply.headers({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': attachment(`notes-${proofId}.csv`),
      'Cache-Control': 'no-store',
    });
    return Readable.from(notesCsv(eachNote((work) => asCaller(deps, caller, work), proofId)));
  });

  bind(proofs.notesCopy, async ({ caller, request, params: { id, proofId } }) =>
    readNotesCopy(
      deps,
      await wanted(caller, request, { id, proofId }),
      `/api/sessions/${id}/proofs/${proofId}/notes.pdf`,
    ),
  );

  bind(proofs.notesCopyFile, async ({ caller, request, reply, params }) =>
    sendNotesCopy(deps, await wanted(caller, request, params), reply),
  );

  bind(proofs.answerNote, async (call) => {
    const { caller, body } = call;
    return writeNote(deps.engine, contextOf(caller), { ...(await noted(call, 'answerNote')), ...body });
  });

  bind(proofs.privateNotes, async ({ caller, request, params }) => {
    const { proofId } = await wanted(caller, request, params);
    return asCaller(deps, caller, (tx) => readPrivateNotes(tx, proofId, actorOf(caller)));
  });

  bind(proofs.addPrivateNote, async (call) => {
    const { caller, request, params, body } = call;
    await wanted(caller, request, params);
    return {
      id: await writePrivateNote(deps.engine, contextOf(caller), { ...asked(call, 'notePrivately', {}), ...body }),
    };
  });

  bind(proofs.removePrivateNote, async (call) => {
    const { caller, request, params } = call;
    await wanted(caller, request, params);
    const { noteId } = params;
    await removePrivateNote(deps.engine, contextOf(caller), { ...asked(call, 'removePrivateNote', {}), noteId });
    return {};
  });

  bind(proofs.addNoteFile, async (call) => {
    const { caller, request, params } = call;
    const { noteId } = params;
    const ask = await noted(call, 'addNoteFile');
    const context = contextOf(caller);
    await takeNoteFile(deps, context, request, (file) => attachToNote(deps.engine, context, { ...ask, noteId, file }));
    return {};
  });

  bind(proofs.noteFile, async (call) => {
    const { caller, request, params } = call;
    const { id: sessionId, noteId, fileId } = params;
    const { context, proofId } = await wanted(caller, request, params);
    const alongside = (tx: Parameters<typeof audit>[0], name: string) =>
      audit(tx, request, { act: 'file.download', object: fileId, after: { sessionId, proofId, name } });
    return sendNoteFile(deps, context, { proofId, noteId, fileId, alongside }, call);
  });

  bind(proofs.markNote, async (call) => {
    const { caller, params, body } = call;
    const { noteId } = params;
    await markNote(deps.engine, contextOf(caller), { ...(await noted(call, 'markNote')), noteId, ...body });
    return {};
  });

  bind(proofs.resolveNote, async (call) => {
    const { caller, params, body } = call;
    const { noteId } = params;
    await resolveNote(deps.engine, contextOf(caller), { ...(await noted(call, 'resolveNote')), noteId, ...body });
    return {};
  });

  bind(proofs.decide, async (call) => {
    const { caller, request, params, body } = call;
    const { decision, recipientId, reason, accepts } = body;
    await asCaller(deps, caller, async (tx) =>
      found(await tx.proof.findFirst({ where: { id: params.proofId, sessionId: params.id }, select: { id: true } })),
    );
    const { by, alongside } = asked(call, 'decideOnBehalf', { decision, reason, recipientId: recipientId ?? '' });
    await decideProof(deps.engine, contextOf(caller), {
      proofId: params.proofId,
      recipientId: recipientId ?? null,
      given: { decision, accepts },
      key: randomUUID(),
      by,
      onBehalf: reason,
      from: { ip: request.ip, userAgent: request.headers['user-agent'] ?? '', locale: localeOf(request), timeZone: '' },
      alongside,
    });
    return read(caller, params);
  });
}
