import { problem, routes } from '@pdf2press/contract';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { checkAccess } from '../frame/access.ts';
import { type Bind, base } from '../frame/bind.ts';
import { senderOf } from './sender-of-caller.ts';
import { appendUpload, beginUpload, headUpload, removeUpload, speak } from './tus.ts';
import { checksumAlgorithms, tusExtensions, tusVersion } from './tus-headers.ts';
import { findUpload } from './upload-rows.ts';

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
