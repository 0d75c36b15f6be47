import { z } from 'zod';
import { tokenResultSchema } from './auth.ts';
import { idSchema } from './paging.ts';
import { may, publicAccess, route } from './route.ts';
import { singleSignOnSchema } from './settings.ts';

const companySchema = z.object({
  company: idSchema.optional().describe('Of several companies of an installation; absent: the first one'),
});

/** Signing in at the service where a company keeps its people, by OpenID Connect. */
export const singleSignOnRoutes = {
  offer: route({
    method: 'GET',
    path: '/TokenAuth/single-sign-on',
    access: publicAccess,
    summary: 'Whether single sign-on is offered, and what its button says',
    query: companySchema,
    result: z.object({ isOffered: z.boolean(), label: z.string().describe('Empty: the words of the web app') }),
  }),
  begin: route({
    method: 'POST',
    path: '/TokenAuth/single-sign-on',
    access: publicAccess,
    summary: 'Begin a single sign-on: the address of the service, and a cookie that binds it to this browser',
    body: companySchema,
    result: z.object({ address: z.string() }),
    rateLimit: { max: 20, windowSeconds: 60 },
  }),
  finish: route({
    method: 'POST',
    path: '/TokenAuth/single-sign-on/callback',
    access: publicAccess,
    summary:
      'Finish it with what the service sent back; the answers are those of /TokenAuth/login, auth.secondFactorNeeded among them',
    body: z.object({
      state: z.string().min(1).max(500),
      code: z.string().max(5000).optional(),
      error: z.string().max(500).optional(),
      iss: z.string().max(500).optional(),
      /** As for signing in with the password. */
      useCookie: z.boolean().optional(),
    }),
    result: tokenResultSchema,
    rateLimit: { max: 20, windowSeconds: 60 },
  }),
  test: route({
    method: 'POST',
    path: '/SystemSettings/testSingleSignOn',
    access: may('settings.security.manage'),
    summary: 'Test whether the service answers at this address as OpenID Connect asks for',
    body: singleSignOnSchema.pick({ issuer: true }).extend({ issuer: z.url({ protocol: /^https?$/ }).max(500) }),
    result: z.object({ isConnected: z.boolean() }),
    rateLimit: { max: 10, windowSeconds: 3600 },
  }),
};
