import { z } from 'zod';
import { tokenResultSchema } from './auth.ts';
import { idSchema, timeSchema } from './paging.ts';
import { may, publicAccess, route, signedIn } from './route.ts';
import { singleSignOnSchema } from './settings.ts';

const companySchema = z.object({
  company: idSchema.optional().describe('Of several companies of an installation; absent: the first one'),
});

/** What a service sends back with a person, by way of their browser. */
const returnedSchema = z.object({
  state: z.string().min(1).max(500),
  code: z.string().max(5000).optional(),
  error: z.string().max(500).optional(),
  iss: z.string().max(500).optional(),
});

/** Who has none proves a sign-in of the last minutes instead. */
const passwordSchema = z.string().min(1).max(1000).optional();
const ownSchema = z.object({
  isOffered: z.boolean(),
  label: z.string().describe('What the button of the sign-in page says; empty: the words of the web app'),
  links: z.array(
    z.object({
      issuer: z.string().describe('The address of the service'),
      linkedAt: timeSchema,
    }),
  ),
});
const ownLimit = { max: 20, windowSeconds: 900 } as const;

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
    body: returnedSchema.extend({
      /** As for signing in with the password. */
      useCookie: z.boolean().optional(),
    }),
    result: tokenResultSchema,
    rateLimit: { max: 20, windowSeconds: 60 },
  }),
  own: route({
    method: 'GET',
    path: '/me/single-sign-on',
    access: signedIn,
    summary: 'The accounts at a sign-in service that sign in as the caller',
    result: ownSchema,
  }),
  beginLink: route({
    method: 'POST',
    path: '/me/single-sign-on',
    access: signedIn,
    summary: 'Begin to link an account at the service: its address, and a cookie that binds it to this browser',
    body: z.object({ password: passwordSchema }),
    result: z.object({ address: z.string() }),
    rateLimit: ownLimit,
  }),
  link: route({
    method: 'POST',
    path: '/me/single-sign-on/link',
    access: signedIn,
    summary: 'Link the account at the service with what it sent back; the service need not have verified its address',
    body: returnedSchema,
    result: ownSchema,
    rateLimit: ownLimit,
  }),
  unlink: route({
    method: 'POST',
    path: '/me/single-sign-on/unlink',
    access: signedIn,
    summary: 'Unlink an account at a service and end every other signed-in session; refused to who has no password',
    body: z.object({ issuer: z.string().min(1).max(500), password: passwordSchema }),
    result: ownSchema,
    rateLimit: ownLimit,
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
