import { problem } from '@pdf2press/contract';
import { sendLinkCode, settingsOf, useLinkCode } from '@pdf2press/engine';
import { setProofGuard } from '../auth/cookies.ts';
import type { ApiDeps } from '../deps.ts';
import { base } from '../frame/bind.ts';
import { notFound } from '../frame/errors.ts';
import { isOverLimit } from '../frame/rate-limits.ts';
import { type OpenedLink, openPresent } from './open-link.ts';

type LinkCall = Parameters<typeof openPresent>[1];

/** Codes that are mailed to one recipient in a day: a mailbox is not flooded, and fifty guesses a day find none. */
const codesOfDay = 10;
const daySeconds = 86_400;

/** A link that asks for a code. @throws ProblemError `resource.notFound` for another */
async function openCoded(deps: ApiDeps, call: LinkCall): Promise<OpenedLink> {
  const link = await openPresent(deps, call);
  if (settingsOf(link.proof).linkProtection !== 'code') throw notFound();
  return link;
}

/** Mails a code to the recipient of a link. @throws ProblemError `request.rateLimited` */
export async function mailLinkCode(deps: ApiDeps, call: LinkCall): Promise<void> {
  const { context, recipient } = await openCoded(deps, call);
  if (await isOverLimit(deps, `proof code ${recipient.id}`, codesOfDay, daySeconds))
    throw problem('request.rateLimited', { seconds: daySeconds });
  await sendLinkCode(deps.engine, context, { recipientId: recipient.id });
}

/**
 * Opens a link in this browser by the code that was mailed. A code that is wrong, old, used or tried too often gets one answer.
 * @throws ProblemError `proof.codeWrong`
 */
export async function enterLinkCode(deps: ApiDeps, call: LinkCall, code: string): Promise<OpenedLink> {
  const link = await openCoded(deps, call);
  const { id: recipientId, linkNo } = link.recipient;
  if (!(await useLinkCode(deps.engine, link.context, { recipientId, code, keys: deps.keys })))
    throw problem('proof.codeWrong', {}, 'code');
  const { sessionId, proofStepId } = call.params;
  const path = `${base}/client-proofing/${sessionId}/${proofStepId}`;
  setProofGuard(deps, call.reply, { path, recipientId, linkNo });
  return { ...link, isGuarded: false };
}
