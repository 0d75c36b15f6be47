import { type ChatHook, type ErrorCode, ProblemError } from '@pdf2press/contract';
import { type AllowedHost, BlockedHostError } from '@pdf2press/mail';
import type { SubscriberContext } from '@pdf2press/prisma';
import type { EngineDeps } from '../../deps.ts';
import type { InstanceKeys } from '../../secrets/instance-key.ts';
import { revealSecret, SecretError } from '../../secrets/keep-secret.ts';
import { excerptOf } from '../webhook/excerpt.ts';
import { sendRequest } from '../webhook/send-request.ts';
import { chatBody } from './bodies.ts';
import { type ChatMessage, hookPurpose } from './contract.ts';

export interface ChatDelivery {
  keys: InstanceKeys;
  /** What may be called although it is on a private network, or not by https; named by the environment. */
  allowedHosts: readonly AllowedHost[];
}

const timeLimit = 30_000;

const hookProblem = (code: ErrorCode, params: Record<string, string | number>, cause?: unknown): ProblemError =>
  Object.assign(new ProblemError([{ code, params, field: 'secretId' }]), { cause });

/** The address of a hook. @throws ProblemError `hook.gone` */
async function addressOf(
  deps: EngineDeps,
  context: SubscriberContext & { subscriberId: string },
  { hook, keys }: { hook: ChatHook; keys: InstanceKeys },
): Promise<URL> {
  const { subscriberId } = context;
  try {
    const text = await deps.database.withSubscriber({ subscriberId }, (tx) =>
      revealSecret(tx, keys, { subscriberId, id: hook.secretId, purpose: hookPurpose }),
    );
    return new URL(text);
  } catch (error) {
    if (error instanceof SecretError || error instanceof TypeError) throw hookProblem('hook.gone', {}, error);
    throw error;
  }
}

/**
 * Writes one message by an incoming hook. Redirects are not followed, and the address, which is a secret, is in no error.
 * @throws ProblemError `hook.gone`, `hook.blocked`, `hook.unreachable`, `hook.refused` with the beginning of the answer
 */
export async function sendChat(
  deps: EngineDeps,
  { subscriberId, hook, message }: { subscriberId: string; hook: ChatHook; message: ChatMessage },
  { keys, allowedHosts, signal: stopped }: ChatDelivery & { signal: AbortSignal },
): Promise<void> {
  const url = await addressOf(deps, { subscriberId }, { hook, keys });
  const signal = AbortSignal.any([AbortSignal.timeout(timeLimit), stopped]);
  const headers = { 'User-Agent': 'pdf2press', 'Content-Type': 'application/json' };
  const request = { url, method: 'POST', headers, body: chatBody(hook.format, message) };
  const { status, body } = await sendRequest(request, { allowedHosts, signal }).catch((error: unknown) => {
    if (error instanceof BlockedHostError) throw hookProblem('hook.blocked', { host: url.hostname }, error);
    const text = error instanceof Error ? error.message : String(error);
    throw hookProblem('hook.unreachable', { text }, error);
  });
  if (status < 200 || status >= 300) throw hookProblem('hook.refused', { status, text: excerptOf(body) });
}
