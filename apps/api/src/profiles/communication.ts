import { randomUUID } from 'node:crypto';
import { isAccountEvent, problem, routes, wordedEvents } from '@pdf2press/contract';
import {
  actionSecretPurpose,
  callOnce,
  chatMessageOf,
  drawMessage,
  enqueueEffect,
  hookPurpose,
  sendChat,
} from '@pdf2press/engine';
import { keepSecret, revealSecret, SecretError } from '@pdf2press/engine/secrets';
import { accountText, eventText } from '@pdf2press/mail';
import { communicationProfileSchema } from '@pdf2press/steps/communication-profile';
import type { ApiDeps } from '../deps.ts';
import { demand } from '../frame/access.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import { type Caller, contextOf } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { found } from '../frame/rows.ts';
import { readSettingsOf } from './store.ts';

interface Asked {
  settings: Record<string, unknown>;
  event: (typeof wordedEvents)[number];
  locale: Caller['locale'];
  sessionId: string | null;
}

/** What is there of communication profiles beside the routes of every kind: the product's texts, and trying one's own. */
export function bindCommunication(bind: Bind, deps: ApiDeps): void {
  const { communicationProfiles } = routes;

  const draw = async (caller: Caller, { settings, event, locale, sessionId }: Asked, logo: 'inside' | 'attached') => {
    if (sessionId !== null) demand(caller, 'sessions.view');
    const profile = communicationProfileSchema.parse(await readSettingsOf('communication', settings));
    const { subscriberId } = caller;
    const drawing = { profile, event, locale, sessionId, subscriberId, logo } as const;
    return { profile, drawn: await drawMessage(deps.engine, contextOf(caller), drawing) };
  };

  bind(communicationProfiles.texts, async ({ query }) =>
    wordedEvents.map((event) => {
      const text = isAccountEvent(event) ? accountText(event, query.locale) : eventText(event, query.locale);
      return { event, ...text };
    }),
  );

  bind(communicationProfiles.preview, async ({ caller, body }) => {
    const { drawn } = await draw(caller, body, 'inside');
    const { subject, text, html, recipients, isSent } = drawn;
    return { subject, text, html, recipients, isSent };
  });

  bind(communicationProfiles.test, async ({ caller, request, body }) => {
    const { profile, drawn } = await draw(caller, body, 'attached');
    const { subject, text, html, brand } = drawn;
    await asCaller(deps, caller, async (tx) => {
      await enqueueEffect(tx, {
        kind: 'mail',
        key: `mail trial ${randomUUID()}`,
        payload: {
          template: 'message',
          to: caller.email,
          name: caller.name,
          locale: body.locale,
          params: {},
          content: { subject, text, html },
          fromName: profile.fromName || brand.name,
          ...((profile.replyTo || brand.replyTo) && { replyTo: profile.replyTo || brand.replyTo }),
          ...(brand.logo !== null && { logo: brand.logo }),
        },
      });
      await audit(tx, request, {
        act: 'profile.testMessage',
        object: caller.id,
        after: { event: body.event, to: caller.email },
      });
    });
    return { to: caller.email };
  });

  bind(communicationProfiles.keepHook, ({ caller, request, body }) =>
    asCaller(deps, caller, async (tx) => {
      const { subscriberId } = caller;
      const id = await keepSecret(tx, deps.keys, { subscriberId, purpose: hookPurpose, text: body.text });
      await audit(tx, request, { act: 'profile.keepHook', object: id });
      return { id };
    }),
  );

  bind(communicationProfiles.testHook, async ({ caller, request, body }) => {
    const { drawn } = await draw(caller, body, 'inside');
    const { subscriberId } = caller;
    const { hook, event, sessionId, locale } = body;
    const page = `${deps.env.publicUrl}/workflows/${sessionId === null ? 'sessions' : `session/${sessionId}`}`;
    const message = chatMessageOf(drawn, { page, locale });
    const access = {
      keys: deps.keys,
      allowedHosts: deps.env.outboundAllowedHosts,
      signal: new AbortController().signal,
    };
    await sendChat(deps.engine, { subscriberId, hook, message }, access);
    const after = { event, to: hook.format };
    await asCaller(deps, caller, (tx) =>
      audit(tx, request, { act: 'profile.testMessage', object: hook.secretId, after }),
    );
    return {};
  });

  bind(communicationProfiles.keepSigningSecret, ({ caller, request, body }) =>
    asCaller(deps, caller, async (tx) => {
      const { subscriberId } = caller;
      const id = await keepSecret(tx, deps.keys, { subscriberId, purpose: actionSecretPurpose, text: body.text });
      await audit(tx, request, { act: 'profile.keepSecret', object: id });
      return { id };
    }),
  );

  bind(communicationProfiles.testWebhook, async ({ caller, request, body }) => {
    const { profile, drawn } = await draw(caller, body, 'inside');
    const { subscriberId } = caller;
    const webhook = found(profile.webhooks.find(({ name }) => name === body.name) ?? null);
    const { event } = body;
    const secret = await asCaller(deps, caller, (tx) =>
      revealSecret(tx, deps.keys, { subscriberId, id: webhook.secretId, purpose: actionSecretPurpose }),
    ).catch((error: unknown) => {
      throw error instanceof SecretError ? problem('hook.gone', {}, 'secretId') : error;
    });
    const message = { subject: drawn.subject, text: drawn.text };
    const told = JSON.stringify({ isTest: true, event, at: new Date().toISOString(), message });
    await callOnce({ url: webhook.url, secret, body: told }, deps.env.outboundAllowedHosts);
    const after = { event, to: webhook.url };
    await asCaller(deps, caller, (tx) =>
      audit(tx, request, { act: 'profile.testMessage', object: webhook.secretId, after }),
    );
    return {};
  });
}
