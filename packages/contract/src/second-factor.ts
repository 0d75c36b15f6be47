import { z } from 'zod';
import { tokenResultSchema } from './auth.ts';
import { timeSchema } from './paging.ts';
import { publicAccess, route, signedIn } from './route.ts';

/** Codes that a person gets for when the authenticator app is lost; each works once. */
export const recoveryCodeCount = 10;

/** Six digits of the app, or a recovery code; blanks and hyphens do not matter. */
const codeSchema = z.string().trim().min(6).max(40);
/** Who has none proves a sign-in of the last minutes instead. */
const passwordSchema = z.string().min(1).max(1000).optional();
const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()).describe('Only here and only now') });

/** Guessing a code takes as many tries as guessing a password. */
const ownLimit = { max: 10, windowSeconds: 900 } as const;

export const secondFactorRoutes = {
  signIn: route({
    method: 'POST',
    path: '/TokenAuth/second-factor',
    access: publicAccess,
    summary:
      'The second stage of signing in: the challenge of `auth.secondFactorNeeded`, and a code of the app or a recovery code',
    body: z.object({
      challenge: z.string().min(1).max(500),
      code: codeSchema,
      /** As for signing in with the password. */
      useCookie: z.boolean().optional(),
    }),
    result: tokenResultSchema,
    rateLimit: { max: 10, windowSeconds: 60 },
  }),
  read: route({
    method: 'GET',
    path: '/me/second-factor',
    access: signedIn,
    summary: 'Whether a second factor is asked for at the own sign-in',
    isBeforeSecondFactor: true,
    result: z.object({
      since: timeSchema.nullable().describe('null = off'),
      isRequired: z.boolean().describe('A role demands it, so it cannot be switched off'),
      recoveryCodesLeft: z.number().int(),
      hasApp: z.boolean().describe('An authenticator app, maybe beside passkeys'),
      hasPassword: z.boolean().describe('Without one, a sign-in of the last minutes stands for it'),
    }),
  }),
  begin: route({
    method: 'POST',
    path: '/me/second-factor',
    access: signedIn,
    summary: 'Make a key for an authenticator app; it counts when a code of it was confirmed',
    isBeforeSecondFactor: true,
    body: z.object({ password: passwordSchema }),
    result: z.object({
      key: z.string().describe('In base 32'),
      address: z.string().describe('otpauth://'),
      picture: z.string().describe('The address as a QR code, a data URL of an SVG'),
    }),
    rateLimit: ownLimit,
  }),
  confirm: route({
    method: 'POST',
    path: '/me/second-factor/confirm',
    access: signedIn,
    summary: 'Switch the second factor on with a code of the app; every other signed-in session ends',
    isBeforeSecondFactor: true,
    body: z.object({ code: codeSchema }),
    result: recoveryCodesSchema,
    rateLimit: ownLimit,
  }),
  renewCodes: route({
    method: 'POST',
    path: '/me/second-factor/recovery-codes',
    access: signedIn,
    summary: 'New recovery codes; those before no longer work',
    body: z.object({ password: passwordSchema, code: codeSchema }),
    result: recoveryCodesSchema,
    rateLimit: ownLimit,
  }),
  switchOff: route({
    method: 'POST',
    path: '/me/second-factor/off',
    access: signedIn,
    summary: 'Switch the second factor off, unless a role demands it',
    body: z.object({ password: passwordSchema, code: codeSchema }),
    result: z.object({}),
    rateLimit: ownLimit,
  }),
};
