import { nearestLocale, routes } from '@pdf2press/contract';
import { demandHere, linkHashOf, readSettings } from '@pdf2press/engine';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { hide, refuseStranger, secretText } from '../frame/strangers.ts';
import { publicOrganization } from '../organizations/logos.ts';
import { sendBytes } from '../sessions/download.ts';

interface LinkCall {
  request: FastifyRequest;
  reply: FastifyReply;
  params: { secret: string };
}

/**
 * The file that a link leads to. Wrong, expired, of a session that was deleted, of a file that has gone: one answer. The secret
 * is looked up by its hash, so that the time of the look-up tells nothing of it.
 * @throws ProblemError `resource.notFound`, `request.rateLimited`
 */
async function openLink(deps: ApiDeps, { request, reply, params: { secret } }: LinkCall) {
  hide(reply);
  const link = secretText.test(secret)
    ? await deps.db.asHost((tx) =>
        tx.fileLink.findUnique({
          where: { linkHash: linkHashOf(secret) },
          include: {
            session: {
              select: { deletedAt: true, organization: { select: { name: true, color: true, pageLogoSha256: true } } },
            },
            file: { select: { id: true, sha256: true, size: true, mediaType: true, removedAt: true } },
          },
        }),
      )
    : null;
  const isGone = link?.session.deletedAt !== null || link.file.removedAt !== null || link.expiresAt <= new Date();
  return link && !isGone ? link : refuseStranger(deps, 'file link', request);
}

/** Files that were too large for the mails that they were delivered by. Every handler begins by opening the link. */
export function bindDeliveredFiles(bind: Bind, deps: ApiDeps): void {
  const { deliveredFiles } = routes;

  bind(deliveredFiles.get, async (call) => {
    const { subscriberId, name, file, expiresAt, locale, session } = await openLink(deps, call);
    const { houseSettings } = await deps.db.withSubscriber({ subscriberId }, (tx) => readSettings(tx, subscriberId));
    return {
      name,
      sizeBytes: Number(file.size),
      expiresAt: expiresAt.toISOString(),
      house: {
        title: houseSettings.name || deps.env.title,
        organization: publicOrganization(deps, subscriberId, session.organization),
      },
      locale: nearestLocale(locale),
    };
  });

  bind(deliveredFiles.file, async (call) => {
    const { id, subscriberId, sessionId, name, file } = await openLink(deps, call);
    const { request, reply } = call;
    const { range } = request.headers;
    await deps.db.withSubscriber({ subscriberId }, async (tx) => {
      await demandHere(tx, file.sha256);
      if (!range || range.startsWith('bytes=0-'))
        await audit(tx, request, {
          act: 'file.download',
          object: file.id,
          after: { sessionId, name },
          subscriberId,
          actor: { kind: 'customer', id, name: '' },
        });
    });
    return sendBytes(deps, { caller: { subscriberId }, request, reply }, { ...file, name });
  });
}
