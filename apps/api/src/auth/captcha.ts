import { randomInt } from 'node:crypto';
import { createChallenge, type Payload, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import type { ApiDeps } from '../deps.ts';

/** Seconds in which a challenge can be solved; a phone needs about one. */
const challengeSeconds = 600;

const secretsOf = (deps: ApiDeps) => ({
  hmacSignatureSecret: deps.keys.derive('captcha challenge').toString('base64'),
  hmacKeySignatureSecret: deps.keys.derive('captcha answer').toString('base64'),
});

/** A new challenge: about half a second of a browser's work, without asking another host. */
const newChallenge = (deps: ApiDeps) =>
  createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 1000,
    counter: randomInt(300, 900),
    deriveKey,
    expiresAt: Math.floor(Date.now() / 1000) + challengeSeconds,
    ...secretsOf(deps),
  });

export async function captchaFor(
  deps: ApiDeps,
): Promise<{ provider: 'altcha' | 'recaptcha' | 'off'; challenge?: unknown; siteKey?: string }> {
  const { provider, siteKey } = deps.env.captcha;
  if (provider === 'altcha') return { provider, challenge: await newChallenge(deps) };
  return { provider, ...(siteKey ? { siteKey } : {}) };
}

const payloadSchema = z.object({
  challenge: z.object({
    parameters: z.looseObject({ nonce: z.string(), salt: z.string(), expiresAt: z.number() }),
    signature: z.string(),
  }),
  solution: z.looseObject({ counter: z.number(), derivedKey: z.string() }),
});

/** The widget sends base64 of JSON; programs may send the JSON itself. */
function readPayload(text: string): z.infer<typeof payloadSchema> | undefined {
  try {
    const json = text.trimStart().startsWith('{') ? text : Buffer.from(text, 'base64').toString('utf8');
    return payloadSchema.parse(JSON.parse(json));
  } catch {
    return undefined; // garbage is no solution
  }
}

async function isSolved(deps: ApiDeps, text: string): Promise<boolean> {
  const payload = readPayload(text);
  if (!payload) return false;
  // payloadSchema checks what is read here; the library verifies the other fields itself.
  const { verified } = await verifySolution({ ...(payload as unknown as Payload), deriveKey, ...secretsOf(deps) });
  if (!verified) return false;
  // Each solution counts once; the row is removed with the old rate limits when the challenge has expired.
  const { signature, parameters } = payload.challenge;
  const first = await deps.db.asHost(
    (tx) => tx.$executeRaw`
      insert into rate_limits (key, window_start, count)
      values (${`captcha ${signature}`}, to_timestamp(${parameters.expiresAt}::int), 1) on conflict do nothing`,
  );
  return first === 1;
}

const verdictSchema = z.object({
  success: z.boolean(),
  action: z.string().optional(),
  hostname: z.string().optional(),
  score: z.number().optional(),
});

async function isHuman(deps: ApiDeps, token: string, action: string): Promise<boolean> {
  const response = await fetch('https://www.google.com/recaptcha/api/siteverify', {
    method: 'POST',
    body: new URLSearchParams({ secret: deps.env.captcha.secretKey ?? '', response: token }),
    signal: AbortSignal.timeout(3000),
    redirect: 'error',
  });
  const verdict = verdictSchema.parse(await response.json());
  const isOurs = verdict.hostname === new URL(deps.env.publicUrl).hostname && verdict.action === action;
  return verdict.success && isOurs && (verdict.score ?? 0) >= 0.5;
}

/**
 * Whether the captcha is solved. When the provider does not answer the result is `isLenient`: signing in goes on, because
 * it has limits of its own.
 */
export async function passesCaptcha(
  deps: ApiDeps,
  { text, action, isLenient = false }: { text: string | undefined; action: string; isLenient?: boolean },
): Promise<boolean> {
  const { provider } = deps.env.captcha;
  if (provider === 'off') return true;
  if (!text) return false;
  if (provider === 'altcha') return isSolved(deps, text);
  try {
    return await isHuman(deps, text, action);
  } catch (error) {
    deps.log.warn({ err: error }, 'captcha provider does not answer');
    return isLenient;
  }
}
