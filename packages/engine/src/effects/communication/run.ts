import { createHash } from 'node:crypto';
import { asksAboutProof, nearestLocale, type ProblemError } from '@pdf2press/contract';
import { isAddress } from '@pdf2press/mail';
import type { Transaction } from '@pdf2press/prisma';
import { communicationProfileSchema, digestDue, quietUntil } from '@pdf2press/steps/communication-profile';
import type { EngineDeps } from '../../deps.ts';
import { communicationOf, hooksOf, webhooksOf } from '../../sessions/announce.ts';
import { loadVersion } from '../../workflows/definition.ts';
import { enqueueEffect } from '../enqueue.ts';
import { gather } from '../mail/digest.ts';
import { type ClaimedEffect, EffectError, type EffectRun } from '../run.ts';
import { attachmentsOf } from './attachments.ts';
import { readLogo } from './brand.ts';
import { chatMessageOf, type MessageReader, mostReaders, type PreparedEvent, prepareEvent } from './compose.ts';
import { webhookBody } from './webhook-body.ts';

type Effect = ClaimedEffect<'communication'>;

/** A program that is called; `id` is that of a webhook, whose address and secret are those of the time of the call. */
interface Program {
  id?: string;
  name: string;
  url: string;
  secretId: string;
}

/** What the calls of webhooks are made with: the product's own texts, in the language of the house. */
const ownTexts = communicationProfileSchema.parse({});

/** The profile as the session's version holds it; null where there is no such session any more. */
async function readProfile(deps: EngineDeps, { subscriberId, sessionId, payload }: Effect) {
  const version = await deps.database.withSubscriber({ subscriberId }, async (tx) => {
    if (payload.refusal) return loadVersion(tx, payload.refusal.versionId);
    const session = await tx.session.findFirst({
      where: { id: sessionId ?? '', deletedAt: null },
      select: { workflowVersionId: true },
    });
    return session && loadVersion(tx, session.workflowVersionId);
  });
  if (payload.profileId === null) return version ? ownTexts : null;
  const snapshot = version?.profiles[payload.profileId];
  return snapshot ? communicationOf(snapshot) : null;
}

/** Who is asked, and everybody the profile names. */
function readersOf({ payload: { asked } }: Effect, { proof, readers }: PreparedEvent): MessageReader[] {
  const recipient = asked && proof?.recipients.find(({ id }) => id === asked.recipientId);
  if (!recipient) return readers;
  const { email, name, locale } = recipient;
  const one = { email, name: name || email, locale: nearestLocale(locale), as: 'asked' } as const;
  return [one, ...readers.filter((reader) => reader.email !== email)];
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && (error as Partial<ProblemError>).problems?.[0]?.code === 'resource.notFound';

/**
 * Makes the messages of an event, each an effect of its own: what one mail server refuses keeps nobody else from being
 * written to. Their keys are those of the event and the address, so that whatever crashes, each is written once.
 */
export const composeMessages = (deps: EngineDeps): EffectRun<'communication'> => ({
  run: async (effect) => {
    const { subscriberId, sessionId, payload } = effect;
    const { event, cause, asked, webhookIds = [], at, ...about } = payload;
    const isOfProfile = payload.profileId !== null;
    const profile = await readProfile(deps, effect);
    if (!profile) return { remoteRef: 'not wanted any more' };
    const prepared = await prepareEvent(deps, { subscriberId }, profile, { sessionId, event, ...about }).catch(
      (error: unknown) => {
        if (isGone(error)) return null;
        throw error;
      },
    );
    if (!prepared) return { remoteRef: 'not wanted any more' };
    // A channel may be written to about what nobody gets a mail about.
    const readers =
      isOfProfile && profile.events[event].isOn
        ? readersOf(effect, prepared).filter(({ as }) => prepared.isSent || as === 'asked')
        : [];
    const hooks = prepared.isSent ? hooksOf(profile, event) : [];
    if (readers.length > mostReaders) throw new EffectError(`more than ${mostReaders} addresses`, { isFinal: true });
    const programs = prepared.isSent ? webhooksOf(profile, event) : [];
    const webhooks = await deps.database.withSubscriber({ subscriberId }, (tx) =>
      tx.webhook.findMany({ where: { id: { in: webhookIds } }, select: { id: true, name: true, url: true } }),
    );
    const { brand } = prepared;
    const hasLogo = (await readLogo(deps, subscriberId, brand.logo)) !== undefined;
    // What is no address is tried and refused by itself, and keeps no other message from being sent.
    const shown = (as: MessageReader['as']) =>
      readers.filter((reader) => reader.as === as && isAddress(reader.email)).map(({ email }) => email);
    const files = new Map<string, string[]>();
    const { attach } = profile.events[event];
    const { unit, proof } = prepared;
    if (sessionId !== null && !asksAboutProof(event))
      for (const locale of new Set(readers.map(prepared.localeOf)))
        files.set(locale, await attachmentsOf(deps, { subscriberId, sessionId, proof, attach, locale, unit }));
    const { quietHours, digest } = profile;
    const quiet = quietHours.isOn
      ? { from: quietHours.from, until: quietHours.until, timeZone: prepared.timeZone }
      : null;
    // A digest is of sessions.
    const isGathered = sessionId !== null && !asksAboutProof(event) && !digest.atOnce.includes(event);
    const write = (tx: Transaction, reader: MessageReader, now: Date) => {
      const locale = prepared.localeOf(reader);
      const fileIds = files.get(locale) ?? [];
      const composed = prepared.compose(reader, locale, hasLogo ? 'cid:logo' : null);
      const isAlone = reader.as === 'person' || reader.as === 'asked' || shown('to').length === 0;
      const due = isGathered && fileIds.length === 0 ? digestDue(digest, now, prepared.timeZone) : null;
      const key = `mail ${event} ${cause} ${reader.email}`;
      const notBefore = quietUntil(quietHours, due ?? now, prepared.timeZone) ?? due;
      const { subject, text, html, paragraphs, link } = composed;
      const message = {
        template: 'message',
        to: reader.email,
        name: reader.name,
        locale,
        params: {},
        content: { subject, text, html },
        event,
        fromName: profile.fromName || brand.name,
        ...((profile.replyTo || brand.replyTo) && { replyTo: profile.replyTo || brand.replyTo }),
        ...(hasLogo && brand.logo !== null && { logo: brand.logo }),
        ...(quiet && { quiet }),
      } as const;
      if (due && notBefore && sessionId !== null) {
        const { name, color } = brand;
        const of = `${payload.profileId} ${name} ${locale}`;
        const shownThere = { paragraphs, link };
        return gather(tx, {
          key,
          sessionId,
          payload: message,
          of,
          brand: { name, color },
          shown: shownThere,
          due: notBefore,
        });
      }
      return enqueueEffect(tx, {
        kind: 'mail',
        key,
        sessionId: sessionId ?? undefined,
        notBefore,
        payload: {
          ...message,
          ...(!isAlone && { shownTo: shown('to'), shownCc: shown('cc') }),
          ...(fileIds.length > 0 && { fileIds }),
          ...(reader.as === 'asked' && asked && { proofLink: asked }),
        },
      });
    };
    const writeTo = (tx: Transaction, { name, format, secretId }: (typeof hooks)[number], notBefore: Date | null) => {
      const channel = { email: '', name, locale: null, as: 'person' } as const;
      const locale = prepared.localeOf(channel);
      const message = chatMessageOf(prepared.compose(channel, locale, null), { page: prepared.page, locale });
      return enqueueEffect(tx, {
        kind: 'chat',
        key: `chat ${event} ${cause} ${secretId}`,
        sessionId: sessionId ?? undefined,
        notBefore,
        payload: { hook: { format, secretId }, name, event, message, ...(quiet && { quiet }) },
      });
    };
    const callProgram = (tx: Transaction, { id, name, url, secretId }: Program, now: Date) => {
      const program = { email: '', name, locale: null, as: 'person' } as const;
      const { subject, text } = prepared.compose(program, prepared.localeOf(program), null);
      return enqueueEffect(tx, {
        kind: 'webhook',
        // Becomes a header; names of files, which causes may hold, are no good for that.
        key: `webhook ${event} ${createHash('sha256')
          .update(`${cause} ${id ?? `${name} ${url}`}`)
          .digest('hex')}`,
        sessionId: sessionId ?? undefined,
        payload: {
          url,
          method: 'POST',
          headers: [{ name: 'Content-Type', value: 'application/json' }],
          body: webhookBody({ event, at: at ?? now.toISOString(), prepared, message: { subject, text }, about }),
          secretId,
          authorizationId: '',
          paths: [],
          maxTries: null,
          told: { name, event, subject, text },
          ...(id !== undefined && { webhookId: id }),
        },
      });
    };
    return {
      remoteRef: String(readers.length + hooks.length + programs.length + webhooks.length),
      commit: async (tx) => {
        const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
        const now = clock?.now ?? new Date();
        for (const reader of readers) await write(tx, reader, now);
        const notBefore = quietUntil(quietHours, now, prepared.timeZone);
        for (const hook of hooks) await writeTo(tx, hook, notBefore);
        for (const program of programs) await callProgram(tx, program, now);
        for (const webhook of webhooks) await callProgram(tx, { ...webhook, secretId: '' }, now);
      },
    };
  },
  onDead: async (tx, { sessionId, payload: { refusal } }) => {
    if (refusal) return { file: refusal.fileName };
    const session = await tx.session.findUnique({ where: { id: sessionId ?? '' }, select: { fileName: true } });
    return { file: session?.fileName ?? '' };
  },
});
