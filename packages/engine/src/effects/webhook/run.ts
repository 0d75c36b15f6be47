import { createHmac } from 'node:crypto';
import { type AllowedHost, BlockedHostError } from '@pdf2press/mail';
import type { Transaction } from '@pdf2press/prisma';
import type { EffectRefusal, webhookAnswerSchema } from '@pdf2press/steps/contracts';
import type { z } from 'zod';
import type { EngineDeps } from '../../deps.ts';
import type { InstanceKeys } from '../../secrets/instance-key.ts';
import { revealSecret, SecretError } from '../../secrets/keep-secret.ts';
import { notifyHolders } from '../notify-holders.ts';
import { type ClaimedEffect, EffectError, type EffectRun } from '../run.ts';
import { actionSecretPurpose } from './contract.ts';
import { comeAgain, excerptOf, longestExcerpt } from './excerpt.ts';
import { type Answer, AnswerTooLongError, sendRequest } from './send-request.ts';
import { noteFailed, noteTaken, readWebhook, type StandingWebhook } from './standing.ts';

export interface WebhookDelivery {
  keys: InstanceKeys;
  /** What may be called although it is on a private network, or not by https; named by the environment. */
  allowedHosts: readonly AllowedHost[];
}

const timeLimit = 60_000;

/** As long as a text variable may be. */
const longestValue = 2000;

/**
 * The signature that the receiver checks: HMAC-SHA256 over the time in seconds, a point, and the body as sent; one for each
 * secret that holds.
 * @param at milliseconds since 1970
 */
export function signatureOf(secrets: string | readonly string[], body: string, at: number): string {
  const seconds = Math.floor(at / 1000);
  const signed = [secrets]
    .flat()
    .map((secret) => createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'));
  return [`t=${seconds}`, ...signed.map((hex) => `v1=${hex}`)].join(',');
}

function failed(
  refusal: EffectRefusal,
  about: { isFinal: boolean; isUnknown?: boolean; cause?: unknown },
): EffectError {
  const words = [refusal.code, refusal.status, refusal.text].filter((word) => word !== undefined);
  return new EffectError(words.join(' '), { ...about, answer: refusal });
}

/** The plain value at a path such as `order.items.0.id`; undefined where the path leads to none. */
export function valueAt(answer: unknown, path: string): string | number | boolean | undefined {
  const found = path
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, name)
          ? (at as Record<string, unknown>)[name]
          : undefined,
      answer,
    );
  if (typeof found === 'string') return found.slice(0, longestValue);
  return typeof found === 'number' || typeof found === 'boolean' ? found : undefined;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** What is kept of the answer: of its JSON only the values that were asked for. */
function keptOf({ status, body }: Answer, paths: readonly string[]): z.output<typeof webhookAnswerSchema> {
  const answer = paths.length > 0 ? jsonOf(body) : undefined;
  const values = paths.flatMap((path) => {
    const value = valueAt(answer, path);
    return value === undefined ? [] : [[path, value] as const];
  });
  return { status, values: Object.fromEntries(values) };
}

/** Where a call goes and what signs it: of a webhook as it is now, of others as it was recorded. */
async function openCall(
  deps: EngineDeps,
  { subscriberId, payload: { url, secretId, webhookId } }: ClaimedEffect<'webhook'>,
): Promise<Pick<StandingWebhook, 'url' | 'secretIds'>> {
  if (webhookId === undefined) return { url, secretIds: secretId === '' ? [] : [secretId] };
  const webhook = await deps.database.withSubscriber({ subscriberId }, (tx) => readWebhook(tx, webhookId));
  // What is given up so can be tried again when a person has switched it on.
  if (!webhook?.isOn) throw new EffectError(webhook ? 'WEBHOOK_OFF' : 'WEBHOOK_GONE', { isFinal: true });
  return webhook;
}

/** The headers that are made of secrets. */
async function secretHeaders(
  deps: EngineDeps,
  { subscriberId, payload: { authorizationId, method, body } }: ClaimedEffect<'webhook'>,
  { keys, secretIds }: WebhookDelivery & Pick<StandingWebhook, 'secretIds'>,
): Promise<Record<string, string>> {
  if (secretIds.length === 0 && authorizationId === '') return {};
  try {
    return await deps.database.withSubscriber({ subscriberId }, async (tx) => {
      const reveal = (id: string) => revealSecret(tx, keys, { subscriberId, id, purpose: actionSecretPurpose });
      const signed = method === 'GET' ? '' : body;
      const secrets = [];
      for (const id of secretIds) secrets.push(await reveal(id));
      return {
        ...(secretIds.length > 0 && { 'X-Signature': signatureOf(secrets, signed, Date.now()) }),
        ...(authorizationId !== '' && { Authorization: await reveal(authorizationId) }),
      };
    });
  } catch (error) {
    if (error instanceof SecretError) throw failed({ code: 'ACTION_SECRET_GONE' }, { isFinal: true, cause: error });
    throw error;
  }
}

/**
 * Calls web addresses for steps. Every try of one call has the same key, so that the receiver can drop a repetition: when
 * a connection breaks or a worker is lost, the call may have arrived. Only an answer of 200 to 299 counts as done.
 */
export const callAddresses = (deps: EngineDeps, delivery: WebhookDelivery): EffectRun<'webhook'> => ({
  run: async (effect, stopped) => {
    const { method, headers, body, paths, maxTries, webhookId } = effect.payload;
    const hasBody = method !== 'GET';
    const { url, secretIds } = await openCall(deps, effect);
    const note = async (): Promise<void> => {
      if (webhookId !== undefined) await noteFailed(deps, { subscriberId: effect.subscriberId, id: webhookId });
    };
    const own = {
      'User-Agent': 'pdf2press',
      'Idempotency-Key': effect.key,
      ...(await secretHeaders(deps, effect, { ...delivery, secretIds })),
    };
    const given = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
    const signal = AbortSignal.any([AbortSignal.timeout(timeLimit), stopped]);
    const request = { url: new URL(url), method, headers: { ...given, ...own }, body: hasBody ? body : null };
    const answer = await sendRequest(request, { allowedHosts: delivery.allowedHosts, signal }).catch(
      async (cause: unknown) => {
        // A worker that stops says nothing about the receiver.
        if (!stopped.aborted) await note();
        const text = cause instanceof Error ? cause.message : String(cause);
        if (cause instanceof BlockedHostError) throw failed({ code: 'ACTION_BLOCKED' }, { isFinal: true, cause });
        if (cause instanceof AnswerTooLongError)
          throw failed({ code: 'ACTION_ANSWER_TOO_LONG' }, { isFinal: true, cause });
        throw failed({ code: 'ACTION_UNREACHABLE', text: text.slice(0, longestExcerpt) }, { isFinal: false, cause });
      },
    );
    const { status } = answer;
    if (status >= 200 && status < 300)
      return {
        remoteRef: String(status),
        answer: keptOf(answer, paths),
        ...(webhookId !== undefined && { commit: (tx: Transaction) => noteTaken(tx, webhookId) }),
      };
    await note();
    // A refusal stays one for as long as nobody mends the receiver: it is repeated only where there is a day for that.
    const isFinal = status < 500 && !comeAgain.has(status) && maxTries !== null;
    throw failed({ code: 'ACTION_REFUSED', status, text: excerptOf(answer.body) }, { isFinal });
  },
  // What a step waits for it tells itself.
  onDead: async (tx, { id, sessionId, payload: { told, webhookId } }) => {
    // One that is off, or gone, is known to be.
    const isKnown = webhookId !== undefined && !(await readWebhook(tx, webhookId))?.isOn;
    if (told && !isKnown)
      await notifyHolders(tx, webhookId === undefined ? 'communication.manage' : 'webhooks.manage', {
        kind: 'webhook.dead',
        data: {
          name: told.name,
          ...(sessionId !== null && { sessionId }),
          ...(webhookId !== undefined && { webhookId }),
        },
        cause: id,
      });
    return undefined;
  },
});
