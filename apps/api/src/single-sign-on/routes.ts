import { ProblemError, routes, type TokenResult } from '@pdf2press/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInConfirmed } from '../auth/sign-in.ts';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind, ReadBody } from '../frame/bind.ts';
import { bindOwnLinks } from './own-links.ts';
import { personOf } from './people.ts';
import { tryService } from './provider.ts';
import { beginTrip, endTrip, type Offer, readOffer } from './trip.ts';

/** Of the one-time tokens. */
const purpose = 'singleSignOn';

/** Writes down that nobody was let in, and why. */
async function writeRefusal(deps: ApiDeps, request: FastifyRequest, { subscriberId }: Offer, error: unknown) {
  if (!(error instanceof ProblemError)) return;
  const after = { stage: 'singleSignOn', reason: error.problems[0]?.code ?? '' };
  await deps.db.asHost((tx) => audit(tx, request, { act: 'login.failed', object: subscriberId, subscriberId, after }));
}

async function finish(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ReadBody<typeof routes.singleSignOn.finish>,
): Promise<TokenResult> {
  const { offer, ask } = await endTrip(deps, { request, reply, body }, { purpose });
  const { settings, subscriberId } = offer;
  let userId: string;
  try {
    const claims = await ask();
    userId = await personOf(deps, request, { subscriberId, settings, claims });
  } catch (error) {
    await writeRefusal(deps, request, offer, error);
    throw error;
  }
  return signInConfirmed(deps, request, reply, { userId, by: settings.issuer, useCookie: body.useCookie === true });
}

export function bindSingleSignOn(bind: Bind, deps: ApiDeps): void {
  const { singleSignOn } = routes;

  bind(singleSignOn.offer, async ({ query }) => {
    const offer = await readOffer(deps, query.company);
    return { isOffered: offer !== null, label: offer?.settings.label ?? '' };
  });

  bind(singleSignOn.begin, ({ reply, body }) =>
    beginTrip(deps, reply, { company: body.company, userId: null, purpose }),
  );

  bindOwnLinks(bind, deps);

  bind(singleSignOn.finish, ({ request, reply, body }) => finish(deps, request, reply, body));

  bind(singleSignOn.test, async ({ body }) => {
    await tryService(deps, body.issuer);
    return { isConnected: true };
  });
}
