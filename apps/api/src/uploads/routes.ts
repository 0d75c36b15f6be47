import { problem, routes, type Sidecar } from '@pdf2press/contract';
import { admit, decideOrganization } from '@pdf2press/engine';
import type { FastifyInstance } from 'fastify';
import { receive } from '../arrivals/receive.ts';
import type { ApiDeps } from '../deps.ts';
import { checkAccess } from '../frame/access.ts';
import { type Bind, base } from '../frame/bind.ts';
import { actorOf, type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';
import { readValues } from '../sessions/create.ts';
import type { Sender } from './sender.ts';
import { storeUpload } from './store-upload.ts';
import { appendUpload, beginUpload, headUpload, removeUpload, speak } from './tus.ts';
import { checksumAlgorithms, tusExtensions, tusVersion } from './tus-headers.ts';
import { findUpload, type UploadRow } from './upload-rows.ts';

const sourceOf = (caller: Caller) => (caller.kind === 'apiKey' ? 'ExternalApi' : 'ManualInjected');

/** Values of a file beside the uploaded one: headers carry few bytes, so the sender has read it and sends them as JSON. */
const sidecarOf = (text: string | undefined): Sidecar | undefined =>
  text ? { name: 'sidecar.json', text } : undefined;

async function startSession(deps: ApiDeps, caller: Caller, sender: Sender, upload: UploadRow): Promise<string> {
  const { sessionId } = await receive(deps, {
    context: contextOf(caller),
    workflowId: found(upload.workflowId),
    source: sourceOf(caller),
    sourceName: caller.name,
    fileName: upload.fileName,
    bytes: await storeUpload(deps, sender, upload),
    uploadId: upload.id,
    variables: upload.variables,
    sidecar: sidecarOf(upload.sidecar),
    createdBy: actorOf(caller),
    ingest: { kind: 'tus', key: upload.id },
    ...(upload.organizationId !== null && {
      organizationId: upload.organizationId,
    }),
  });
  return sessionId;
}

/** Somebody signed in, or a key: complete bytes become a session at once. */
function senderOf(deps: ApiDeps, caller: Caller): Sender {
  const sender: Sender = {
    subscriberId: caller.subscriberId,
    principal: { ...actorOf(caller), id: caller.id },
    path: '/uploads',
    maxBytes: deps.env.maxUploadBytes,
    run: (work) => asCaller(deps, caller, work),
    admit: async (tx, { fileName, size, metadata }) => {
      const workflowId = metadata.get('workflowId') ?? '';
      const variables = readValues(metadata.get('variables'), metadata.get('externalId'));
      const sidecar = metadata.get('sidecar');
      await admit(tx, {
        workflowId,
        variables,
        source: sourceOf(caller),
        fileName,
        size,
        sidecar: sidecarOf(sidecar),
      });
      const chosen = metadata.get('organizationId') || undefined;
      const { organizationId } = await decideOrganization(tx, {
        workflowId,
        chosen,
      });
      const kept = {
        variables: variables as Record<string, string>,
        ...(sidecar && { sidecar }),
      };
      return { workflowId, organizationId, metadata: kept };
    },
    complete: (upload) => startSession(deps, caller, sender, upload),
  };
  return sender;
}

/** Resumable uploads of accounts and API keys. */
export function bindUploads(bind: Bind, deps: ApiDeps, app: FastifyInstance): void {
  const { uploads } = routes;
  bind(uploads.create, (call) => beginUpload(deps, senderOf(deps, call.caller), call));
  bind(uploads.append, (call) => appendUpload(deps, senderOf(deps, call.caller), call, call.params.id));
  bind(uploads.remove, (call) => removeUpload(deps, senderOf(deps, call.caller), call, call.params.id));

  bind(uploads.get, async ({ caller, params }) => {
    const { principal, run } = senderOf(deps, caller);
    const { id, offset, size, sessionId } = await run((tx) => findUpload(tx, principal, params.id));
    return { id, offset, length: size, sessionId };
  });

  // Not part of the contract's route table: HEAD has no body to describe.
  app.route<{ Params: { id: string } }>({
    method: 'HEAD',
    url: `${base}/uploads/:id`,
    config: { access: uploads.get.access },
    handler: async (request, reply) => {
      checkAccess(uploads.get, request.caller);
      if (!request.caller) throw problem('auth.tokenInvalid');
      return headUpload(deps, senderOf(deps, request.caller), reply, request.params.id);
    },
  });
  app.route({
    method: 'OPTIONS',
    url: `${base}/uploads`,
    config: { access: { kind: 'public' } },
    handler: async (_request, reply) =>
      speak(reply)
        .code(204)
        .headers({
          'Tus-Version': tusVersion,
          'Tus-Extension': tusExtensions,
          'Tus-Checksum-Algorithm': checksumAlgorithms.join(','),
          'Tus-Max-Size': String(deps.env.maxUploadBytes),
        })
        .send(),
  });
}
