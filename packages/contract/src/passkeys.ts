import { z } from 'zod';
import { tokenResultSchema } from './auth.ts';
import { idParamsSchema, idSchema, timeSchema } from './paging.ts';
import { publicAccess, route, signedIn } from './route.ts';

/** As many as one person may have. */
export const mostPasskeys = 20;

const nameSchema = z.string().trim().min(1).max(60);
/** Who has none proves a sign-in of the last minutes instead. */
const passwordSchema = z.string().min(1).max(1000).optional();
/** What browsers are given, and what they make of it: as WebAuthn writes both in JSON. */
const optionsSchema = z.record(z.string(), z.unknown());
const answerSchema = z.looseObject({
  id: z.string().min(1).max(2000),
  rawId: z.string().min(1).max(2000),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
});
const challengeSchema = z.string().min(1).max(500);

const ownLimit = { max: 20, windowSeconds: 900 } as const;

/** Passkeys (WebAuthn) as a second factor, beside an authenticator app or instead of one. */
export const passkeyRoutes = {
  signInOptions: route({
    method: 'POST',
    path: '/TokenAuth/passkey/options',
    access: publicAccess,
    summary: 'What the browser is asked for a passkey with: the challenge is that of `auth.secondFactorNeeded`',
    body: z.object({ challenge: challengeSchema }),
    result: z.object({ options: optionsSchema }),
    rateLimit: { max: 20, windowSeconds: 60 },
  }),
  signIn: route({
    method: 'POST',
    path: '/TokenAuth/passkey',
    access: publicAccess,
    summary: 'The second stage of signing in with a passkey instead of a code',
    body: z.object({
      challenge: challengeSchema,
      answer: answerSchema,
      /** As for signing in with the password. */
      useCookie: z.boolean().optional(),
    }),
    result: tokenResultSchema,
    rateLimit: { max: 10, windowSeconds: 60 },
  }),
  list: route({
    method: 'GET',
    path: '/me/passkeys',
    access: signedIn,
    summary: 'Own passkeys',
    isBeforeSecondFactor: true,
    result: z.array(
      z.object({ id: idSchema, name: z.string(), createdAt: timeSchema, lastUsedAt: timeSchema.nullable() }),
    ),
  }),
  begin: route({
    method: 'POST',
    path: '/me/passkeys/options',
    access: signedIn,
    summary: 'Begin a new passkey: what the browser is asked with, and a token that counts once',
    isBeforeSecondFactor: true,
    body: z.object({ password: passwordSchema }),
    result: z.object({ token: z.string(), options: optionsSchema }),
    rateLimit: ownLimit,
  }),
  add: route({
    method: 'POST',
    path: '/me/passkeys',
    access: signedIn,
    summary: 'Keep a new passkey; as the first second factor it ends every other signed-in session',
    isBeforeSecondFactor: true,
    body: z.object({ token: challengeSchema, name: nameSchema, answer: answerSchema }),
    result: z.object({
      recoveryCodes: z.array(z.string()).nullable().describe('Only here and only now; null = those before go on'),
    }),
    rateLimit: ownLimit,
  }),
  rename: route({
    method: 'PUT',
    path: '/me/passkeys/:id',
    access: signedIn,
    summary: 'Rename an own passkey',
    params: idParamsSchema,
    body: z.object({ name: nameSchema }),
    result: z.object({}),
  }),
  remove: route({
    method: 'POST',
    path: '/me/passkeys/:id/remove',
    access: signedIn,
    summary: 'Remove an own passkey; without another second factor that is switched off, unless a role demands it',
    params: idParamsSchema,
    body: z.object({ password: passwordSchema }),
    result: z.object({}),
    rateLimit: ownLimit,
  }),
};
