import { answerAddress, findCertificate, readSettings } from '@pdf2press/engine';
import type { Transaction } from '@pdf2press/prisma';
import type { ApiDeps } from '../../deps.ts';
import { base } from '../../frame/bind.ts';
import { localeOf } from '../../frame/errors.ts';
import { readClientProof } from '../client-proof.ts';
import type { LinkCall, OpenedLink } from '../open-link.ts';
import type { PlainProof } from './plain-page.ts';

/**
 * What the page without scripts shows of a link: no more than the link shows in the web app.
 * @param told what became of the receipt that was asked for on the page before
 */
export async function readPlainProof(
  deps: ApiDeps,
  tx: Transaction,
  link: OpenedLink,
  { request, params }: LinkCall,
  told: 'underway' | 'notPossible' | undefined,
): Promise<PlainProof> {
  const locale = localeOf(request);
  const proof = await readClientProof(deps, tx, link, locale);
  const { id: proofId, sessionId, session, decisions } = link.proof;
  const { subscriberId } = link.context;
  const { organizationId } = session;
  const answersTo = await answerAddress(tx, { subscriberId, sessionId, organizationId }, deps.mail.hostServer);
  const { timeZone } = await readSettings(tx, subscriberId);
  const mayReadIt = 'sha256' in proof && decisions.length > 0;
  const isMade = mayReadIt && (await findCertificate(tx, { proofId, locale })) !== null;
  const path = `${base}/client-proofing/${params.sessionId}/${params.proofStepId}/certificate.pdf`;
  return {
    proof,
    locale,
    timeZone: timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone,
    answersTo,
    receipt: mayReadIt ? { address: deps.env.publicUrl + path, state: isMade ? 'made' : (told ?? 'unasked') } : null,
  };
}
