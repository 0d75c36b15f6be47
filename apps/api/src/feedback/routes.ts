import {
  contractMessages,
  type FeedbackBody,
  type Locale,
  nearestLocale,
  problem,
  routes,
  sentence,
} from '@pdf2press/contract';
import { enqueueEffect, readSettings } from '@pdf2press/engine';
import { newId } from '@pdf2press/prisma';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Bind } from '../frame/bind.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { InvalidRequestError } from '../frame/read-part.ts';
import { personId } from '../me/routes.ts';

const extensions: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg' };
/** How the bytes of a PNG and of a JPEG begin. */
const beginnings: Record<string, readonly number[]> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47],
  'image/jpeg': [0xff, 0xd8, 0xff],
};

/** The picture as an attachment. @throws InvalidRequestError for bytes that are not what their address says */
function pictureOf(address: string): { name: string; mediaType: string; base64: string } {
  const [head = '', base64 = ''] = address.split(',');
  const mediaType = head.slice('data:'.length, -';base64'.length);
  const bytes = Buffer.from(base64.slice(0, 8), 'base64');
  if (!beginnings[mediaType]?.every((byte, at) => bytes[at] === byte))
    throw new InvalidRequestError([{ code: 'value.invalid', field: 'picture' }]);
  return { name: `screen.${extensions[mediaType] ?? 'png'}`, mediaType, base64 };
}

/** The text with what helps to look into it. Where the sentences are ours they are in the language of the house. */
function textOf({ text, context }: FeedbackBody, caller: Caller, version: string, locale: Locale): string {
  const facts = {
    person: `${caller.name} <${caller.email}>`,
    page: context.path,
    version,
    browser: context.browser,
    window: context.window,
  };
  const lines = Object.entries(facts)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${sentence(contractMessages, locale, `feedback.${key}`)}: ${value.replace(/\s+/g, ' ')}`);
  return [text, '', ...lines].join('\n');
}

/** Feedback goes to the house's address as a mail, which is sent, tried again and told of like every other. */
export function bindFeedback(bind: Bind, deps: ApiDeps): void {
  const { feedback } = routes;
  const addressOf = (caller: Caller) =>
    asCaller(deps, caller, async (tx) => (await readSettings(tx, caller.subscriberId)).feedbackSettings.email);

  bind(feedback.ask, async ({ caller }) => ({ isSetUp: (await addressOf(caller)) !== '' }));

  bind(feedback.send, async ({ caller, request, body }) => {
    const userId = personId(caller);
    const picture = body.picture === null ? undefined : pictureOf(body.picture);
    await asCaller(deps, caller, async (tx) => {
      const { feedbackSettings, culture } = await readSettings(tx, caller.subscriberId);
      const to = feedbackSettings.email;
      if (to === '') throw problem('feedback.notSetUp');
      const locale = nearestLocale(culture);
      await enqueueEffect(tx, {
        kind: 'mail',
        key: `mail feedback ${newId('effect')}`,
        payload: {
          template: 'message',
          to,
          name: '',
          locale,
          params: {},
          content: {
            subject: sentence(contractMessages, locale, 'feedback.subject', { app: deps.env.title, name: caller.name }),
            text: textOf(body, caller, deps.version, locale),
          },
          replyTo: caller.email,
          ...(picture && { picture }),
        },
      });
      await audit(tx, request, { act: 'feedback.send', object: userId, after: { path: body.context.path } });
    });
    return {};
  });
}
