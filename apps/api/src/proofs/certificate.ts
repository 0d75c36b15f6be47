import { type Locale, problem, type RouteResult, type routes } from '@pdf2press/contract';
import { askForCertificate, demandHere, findCertificate } from '@pdf2press/engine';
import type { SubscriberContext } from '@pdf2press/prisma';
import type { FastifyReply } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { found } from '../frame/rows.ts';
import { sendPdf } from '../sessions/download.ts';

interface Wanted {
  context: SubscriberContext;
  proofId: string;
  locale: Locale;
}

/**
 * Where the certificate of a proof's decisions lies; one that does not exist yet is made by a worker, and the client asks
 * again.
 * @param address of its bytes
 * @throws ProblemError `certificate.undecided`, `certificate.notPossible`
 */
export async function readCertificate(
  deps: ApiDeps,
  { context, ...wanted }: Wanted,
  address: string,
): Promise<RouteResult<typeof routes.proofs.certificate>> {
  const made = await deps.db.withSubscriber(context, (tx) => findCertificate(tx, wanted));
  if (made) return { name: made.name, downloadUrl: address };
  const { state } = await askForCertificate(deps.engine, context, wanted);
  if (state === 'dead') throw problem('certificate.notPossible');
  return { name: '', downloadUrl: null };
}

/** Sends the certificate. @throws ProblemError `resource.notFound` for one that was not made */
export async function sendCertificate(deps: ApiDeps, { context, ...wanted }: Wanted, reply: FastifyReply) {
  const file = await deps.db.withSubscriber(context, async (tx) => {
    const row = found(await findCertificate(tx, wanted));
    await demandHere(tx, row.sha256);
    return row;
  });
  return sendPdf(deps, reply, context, file);
}
