import { fileTypeOf, fileTypes, problem, type Sidecar } from '@pdf2press/contract';
import { admit, decideOrganization, demandInPlan } from '@pdf2press/engine';
import { receive } from '../arrivals/receive.ts';
import type { ApiDeps } from '../deps.ts';
import { actorOf, type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';
import { readValues } from '../sessions/create.ts';
import type { Sender } from './sender.ts';
import { storeUpload } from './store-upload.ts';
import type { UploadRow } from './upload-rows.ts';

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

/**
 * Somebody signed in, or a key: complete bytes become a session at once or, where no workflow was named, wait for a day until
 * they are named (`POST /sessions`).
 */
export function senderOf(deps: ApiDeps, caller: Caller): Sender {
  const sender: Sender = {
    subscriberId: caller.subscriberId,
    principal: { ...actorOf(caller), id: caller.id },
    path: '/uploads',
    maxBytes: deps.env.maxUploadBytes,
    run: (work) => asCaller(deps, caller, work),
    admit: async (tx, { fileName, size, metadata }) => {
      const workflowId = metadata.get('workflowId');
      if (workflowId === undefined) {
        if (!fileTypeOf(fileName)) throw problem('file.typeNotAccepted', { types: fileTypes.join(', ') });
        await demandInPlan(tx, size);
        return { workflowId: null, organizationId: null, metadata: {} };
      }
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
    complete: async (upload) => (upload.workflowId === null ? null : startSession(deps, caller, sender, upload)),
  };
  return sender;
}
