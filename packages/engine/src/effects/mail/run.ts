import path from 'node:path';
import { Readable } from 'node:stream';
import type { Locale } from '@pdf2press/contract';
import {
  AddressError,
  type ComposedMail,
  composeMail,
  type Mail,
  type MailEnvironment,
  ownLink,
  renderMail,
  sendMail,
  UndeliveredError,
} from '@pdf2press/mail';
import type { EngineDeps } from '../../deps.ts';
import type { Env } from '../../env.ts';
import { openLink } from '../../proofs/link.ts';
import { codeToSend } from '../../proofs/link-code.ts';
import { noteReached, noteRefused } from '../../proofs/refused.ts';
import type { InstanceKeys } from '../../secrets/instance-key.ts';
import { revealSecret, SecretError } from '../../secrets/keep-secret.ts';
import { smtpServerOf } from '../../secrets/settings.ts';

import { readLogo } from '../communication/brand.ts';
import { type ClaimedEffect, EffectError, type EffectRun } from '../run.ts';
import { linkPurpose } from './contract.ts';
import { digestContent } from './digest.ts';

export interface MailDelivery {
  keys: InstanceKeys;
  environment: MailEnvironment;
  /** Title of the app, in subjects and texts. */
  title: string;
  /** The address that links begin with. */
  baseUrl: string;
}

/** The values that every message of this installation uses. */
export const mailEnvironmentOf = (env: Env): MailEnvironment => ({
  keepFolder: path.join(env.dataDir, 'mail'),
  hostServer: env.smtp,
  allowedHosts: env.outboundAllowedHosts,
});

/** A message whose texts are final, with the recipient's own link in the place that was kept for it. */
function messageOf(
  { subject, text, html }: { subject: string; text: string; html?: string },
  { link, locale, app }: { link: string | undefined; locale: Locale; app: string },
): ComposedMail {
  if (html === undefined) return composeMail({ subject, text, locale, app });
  const linked = (part: string) => (link === undefined ? part : part.replaceAll(ownLink, link));
  return { subject: linked(subject), text: linked(text), html: linked(html) };
}

/** The files that go with a message, as far as their bytes are here. They are opened when it is sent. */
async function filesOf(deps: EngineDeps, { subscriberId, sessionId, payload }: ClaimedEffect<'mail'>) {
  const { fileIds = [], picture } = payload;
  const files: NonNullable<Mail['files']>[number][] = [];
  if (picture)
    files.push({
      filename: picture.name,
      contentType: picture.mediaType,
      open: async () => Readable.from([Buffer.from(picture.base64, 'base64')]),
    });
  if (fileIds.length === 0) return files;
  const rows = await deps.database.withSubscriber({ subscriberId }, (tx) =>
    tx.file.findMany({
      where: { id: { in: fileIds }, sessionId: sessionId ?? '', removedAt: null },
      select: { name: true, mediaType: true, sha256: true },
    }),
  );
  for (const { name, mediaType, sha256 } of rows) {
    const blob = { subscriberId, sha256 };
    if ((await deps.storage.sizeOf(blob)) !== undefined)
      files.push({ filename: name, contentType: mediaType, open: () => deps.storage.open(blob) });
  }
  return files;
}

async function prepare(deps: EngineDeps, effect: ClaimedEffect<'mail'>, { keys, title, baseUrl }: MailDelivery) {
  const { subscriberId } = effect;
  const { template, locale, name, params, to, linkSecretId, path, proofLink, proofCode, digest } = effect.payload;
  const { server, link, code, isWanted, content } = await deps.database.withSubscriber({ subscriberId }, async (tx) => {
    const page = proofLink ? await openLink(tx, keys, proofLink) : path;
    const code = proofCode && (await codeToSend(tx, keys, proofCode));
    const gathered = await digestContent(tx, effect.payload);
    const isDue = (!proofLink || page !== undefined) && (!proofCode || code !== undefined);
    return {
      code,
      isWanted: digest ? gathered !== null : isDue,
      content: gathered ?? effect.payload.content,
      server: await smtpServerOf(tx, keys, subscriberId),
      link: linkSecretId
        ? await revealSecret(tx, keys, { subscriberId, id: linkSecretId, purpose: linkPurpose })
        : page === undefined
          ? undefined
          : new URL(page, baseUrl).href,
    };
  });
  if (!isWanted) return undefined;
  const { brand } = effect.payload;
  const logo = await readLogo(deps, subscriberId, effect.payload.logo);
  const rendered =
    template === 'message'
      ? messageOf({ subject: '', text: '', ...content }, { link, locale, app: title })
      : renderMail(
          template,
          locale,
          { ...params, app: title, name, ...(link && { link }), ...(code && { code }) },
          brand && { ...brand, logo: logo ? 'cid:logo' : null },
        );
  const { fromName, replyTo, inReplyTo, shownTo, shownCc } = effect.payload;
  const files = await filesOf(deps, effect);
  const mail: Mail = {
    ...rendered,
    to,
    ...(files.length > 0 && { files }),
    ...(fromName !== undefined && { fromName }),
    ...(replyTo !== undefined && { replyTo }),
    ...(inReplyTo !== undefined && { inReplyTo }),
    ...(shownTo && { shownTo }),
    ...(shownCc && { shownCc }),
    ...(logo && { logo }),
    // Receiving servers that know the id drop a repeated message.
    messageId: `<${effect.id}@pdf2press>`,
  };
  return { server, mail };
}

/**
 * Sends messages through the subscriber's server or the host's, or keeps them for the administrators when there is none. A
 * message that may have arrived is sent once more at most; one that fails for three days is given up.
 */
export const deliverMail = (deps: EngineDeps, delivery: MailDelivery): EffectRun<'mail'> => ({
  run: async (effect) => {
    const { subscriberId } = effect;
    const { linkSecretId, proofLink } = effect.payload;
    try {
      const prepared = await prepare(deps, effect, delivery);
      if (!prepared) return { remoteRef: 'not wanted any more' };
      const remoteRef = await sendMail(delivery.environment, { subscriberId, ...prepared });
      return {
        remoteRef,
        commit: async (tx) => {
          if (proofLink) await noteReached(tx, proofLink);
          if (linkSecretId) await tx.secret.deleteMany({ where: { id: linkSecretId } });
        },
      };
    } catch (error) {
      if (error instanceof UndeliveredError) throw new EffectError(error.message, { ...error, cause: error });
      if (error instanceof AddressError || error instanceof SecretError)
        throw new EffectError(error.message, { isFinal: true, cause: error });
      throw error;
    }
  },
  onDead: async (tx, { payload: { to, template, proofLink, proofCode } }) => {
    const asked = proofLink ?? proofCode;
    if (asked) await noteRefused(tx, { ...asked, email: to });
    // What it told of stands at the bell; another notification would ask for another mail.
    return template === 'notice' || template === 'notices' ? undefined : { to, template };
  },
});
