import { z } from 'zod';
import { localeSchema } from './locale-schema.ts';
import { idParamsSchema, idSchema, timeSchema } from './paging.ts';
import { permissionSchema } from './permissions.ts';
import { publicAccess, route, signedIn } from './route.ts';
import { appearanceSchema } from './settings.ts';

const emailSchema = z.string().trim().max(254).pipe(z.email());
const passwordSchema = z.string().min(1).max(1000);

/** `expiresIn` in seconds. In cookie mode `refreshToken` is empty. */
export const tokenResultSchema = z.object({
  authToken: z.string(),
  refreshToken: z.string(),
  expiresIn: z.number().int(),
});
export type TokenResult = z.infer<typeof tokenResultSchema>;

export const loginSchema = z.object({
  email: z.string().trim().min(1).max(254),
  password: passwordSchema,
  captcha: z.string().max(10_000).optional(),
  /** Our own web app keeps the refresh token in an HttpOnly cookie. */
  useCookie: z.boolean().optional(),
});

export const userSummarySchema = z.object({
  id: idSchema,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
});

export const meSchema = userSummarySchema.extend({
  userName: z.string(),
  phone: z.string(),
  locale: localeSchema,
  subscriberId: idSchema,
  subscriberName: z.string(),
  roles: z.array(z.object({ id: idSchema, name: z.string() })),
  permissions: z.array(permissionSchema),
  hostPermissions: z.array(z.string()),
  isHostAdministrator: z.boolean(),
  /** How the house wants the web app to look, where nobody chooses otherwise. */
  appearance: appearanceSchema,
  mustSetUpSecondFactor: z.boolean().describe('Until then every other call answers auth.secondFactorMissing'),
});
export type Me = z.infer<typeof meSchema>;

export const signedInSessionSchema = z.object({
  id: idSchema,
  userAgent: z.string(),
  ip: z.string(),
  createdAt: timeSchema,
  lastSeenAt: timeSchema,
  isCurrent: z.boolean(),
});

export const authRoutes = {
  login: route({
    method: 'POST',
    path: '/TokenAuth/login',
    access: publicAccess,
    summary:
      'Sign in with e-mail and password; with a second factor the answer is auth.secondFactorNeeded with a challenge for /TokenAuth/second-factor',
    body: loginSchema,
    result: tokenResultSchema,
    rateLimit: { max: 10, windowSeconds: 60 },
  }),
  refresh: route({
    method: 'POST',
    path: '/TokenAuth/refresh',
    access: publicAccess,
    summary: 'Exchange a refresh token for new tokens; each refresh token can be used once',
    body: z.object({ refreshToken: z.string().max(500).optional() }),
    result: tokenResultSchema,
    rateLimit: { max: 30, windowSeconds: 60 },
  }),
  logout: route({
    method: 'POST',
    path: '/TokenAuth/logout',
    access: publicAccess,
    summary: 'End the signed-in session of the token sent',
    body: z.object({ refreshToken: z.string().max(500).optional() }),
    result: z.object({}),
  }),
  forgotPassword: route({
    method: 'POST',
    path: '/TokenAuth/forgot-password',
    access: publicAccess,
    summary: 'Request a link to choose a new password; the response is the same whether or not the account exists',
    body: z.object({ email: emailSchema, captcha: z.string().max(10_000).optional() }),
    result: z.object({}),
    rateLimit: { max: 20, windowSeconds: 3600 },
  }),
  resetPassword: route({
    method: 'POST',
    path: '/TokenAuth/reset-password',
    access: publicAccess,
    summary: 'Choose a new password with the token of the link',
    body: z.object({ token: z.string().max(500), password: passwordSchema, passwordConfirmation: passwordSchema }),
    result: z.object({}),
    rateLimit: { max: 20, windowSeconds: 3600 },
  }),
  captcha: route({
    method: 'GET',
    path: '/TokenAuth/captcha',
    access: publicAccess,
    summary: 'A proof-of-work challenge, or the site key of the configured provider',
    result: z.object({
      provider: z.enum(['altcha', 'recaptcha', 'off']),
      challenge: z.unknown().optional(),
      siteKey: z.string().optional(),
    }),
  }),
  passwordPolicy: route({
    method: 'GET',
    path: '/TokenAuth/password-policy',
    access: publicAccess,
    summary: 'Password rules, for callers with a set-up or reset link',
    result: z.object({
      requireDigit: z.boolean(),
      requireLowercase: z.boolean(),
      requireUppercase: z.boolean(),
      requireNonAlphanumeric: z.boolean(),
      requiredLength: z.number().int(),
    }),
  }),
  setupState: route({
    method: 'GET',
    path: '/setup',
    access: publicAccess,
    summary: 'Whether the first administrator has to be created',
    result: z.object({ isDone: z.boolean() }),
  }),
  setup: route({
    method: 'POST',
    path: '/setup',
    access: publicAccess,
    summary: 'Create the first administrator with the one-time link that the first start printed',
    body: z.object({
      token: z.string().max(500),
      firstName: z.string().trim().min(1).max(100),
      lastName: z.string().trim().max(100).default(''),
      email: emailSchema,
      password: passwordSchema,
      passwordConfirmation: passwordSchema,
      companyName: z.string().trim().max(200).default(''),
      locale: localeSchema.default('en'),
    }),
    result: z.object({}),
    rateLimit: { max: 20, windowSeconds: 3600 },
  }),
  me: route({
    method: 'GET',
    path: '/me',
    access: signedIn,
    summary: 'Who is signed in and what they may do',
    isEmbeddable: true,
    isBeforeSecondFactor: true,
    result: meSchema,
  }),
  updateMe: route({
    method: 'PUT',
    path: '/me',
    access: signedIn,
    summary: 'Change own name, phone and language',
    body: z.object({
      firstName: z.string().trim().min(1).max(100),
      lastName: z.string().trim().max(100),
      phone: z.string().trim().max(50),
      locale: localeSchema,
    }),
    result: meSchema,
  }),
  changePassword: route({
    method: 'PUT',
    path: '/me/password',
    access: signedIn,
    summary: 'Change own password; every other signed-in session ends',
    body: z.object({ currentPassword: passwordSchema, password: passwordSchema, passwordConfirmation: passwordSchema }),
    result: z.object({}),
    // Whoever found a computer unlocked must not be able to guess the password.
    rateLimit: { max: 10, windowSeconds: 900 },
  }),
  mySessions: route({
    method: 'GET',
    path: '/me/sessions',
    access: signedIn,
    summary: 'Own signed-in sessions',
    result: z.array(signedInSessionSchema),
  }),
  revokeMySession: route({
    method: 'DELETE',
    path: '/me/sessions/:id',
    access: signedIn,
    summary: 'End all other own signed-in sessions',
    params: idParamsSchema,
    result: z.object({}),
  }),
};
