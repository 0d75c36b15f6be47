import { routes } from '@pdf2press/contract';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { type Bind, base } from '../frame/bind.ts';
import { localeOf } from '../frame/errors.ts';
import { appendUpload, beginUpload, headUpload, removeUpload } from '../uploads/tus.ts';
import { checkUploads, sendCheckedPage } from './checks.ts';
import { openPage } from './open-page.ts';
import { readPage } from './read-page.ts';
import { readVisit, submit } from './send.ts';
import { beginVisit, demandTurn, openVisit, senderOf } from './visits.ts';

/** Every one begins by opening the page or the visit. */
export function bindUploadPages(bind: Bind, deps: ApiDeps, app: FastifyInstance): void {
  const { uploadPages } = routes;
  type InVisit = Parameters<typeof openVisit>[1];
  const senderIn = async (call: InVisit) =>
    senderOf(deps, await openVisit(deps, call), { secret: call.params.visit, ip: call.request.ip });

  bind(uploadPages.open, async ({ request, reply, params, body }) =>
    readPage(deps, await openPage(deps, { request, reply, ...params, ...body })),
  );

  bind(uploadPages.visit, async ({ request, reply, params, body }) =>
    beginVisit(deps, await openPage(deps, { request, reply, ...params, code: body.code }), body.captcha),
  );

  bind(uploadPages.get, async (call) => readVisit(deps, await openVisit(deps, call), localeOf(call.request)));

  bind(uploadPages.create, async (call) => {
    const sender = await senderIn(call);
    await demandTurn(deps, call.request);
    return beginUpload(deps, sender, call);
  });
  bind(uploadPages.append, async (call) => appendUpload(deps, await senderIn(call), call, call.params.id));
  bind(uploadPages.remove, async (call) => removeUpload(deps, await senderIn(call), call, call.params.id));

  bind(uploadPages.check, async (call) => {
    const { request, body } = call;
    return checkUploads(deps, await openVisit(deps, call), { ...body, request, locale: localeOf(request) });
  });
  bind(uploadPages.picture, async (call) => sendCheckedPage(deps, await openVisit(deps, call), call));

  bind(uploadPages.send, async (call) => submit(deps, await openVisit(deps, call), call.body, localeOf(call.request)));

  // Not part of the contract's route table: HEAD has no body to describe.
  app.route<{ Params: { visit: string; id: string } }>({
    method: 'HEAD',
    url: `${base}${uploadPages.append.path}`,
    config: { access: uploadPages.append.access },
    handler: async (request, reply) => {
      const { params } = request;
      return headUpload(deps, await senderIn({ request, reply, params }), reply, params.id);
    },
  });
}
