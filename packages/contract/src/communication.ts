import { z } from 'zod';
import { localeSchema } from './locale-schema.ts';
import { idParamsSchema, idSchema, timeSchema } from './paging.ts';
import { profileRoutesOf } from './profiles.ts';
import { may, route } from './route.ts';

/** What a communication profile can write about, in the order of a session's life. */
export const messageEvents = [
  'Received',
  'Rejected',
  'PreflightPassed',
  'PreflightWarnings',
  'PreflightFailed',
  'FixApplied',
  'ProofRequested',
  'ProofReminder',
  'ProofApproved',
  'ProofDeclined',
  'ProofExpired',
  'Held',
  'Released',
  'FileReplaced',
  'Rerouted',
  'Completed',
  'CompletedWithWarnings',
  'Failed',
  'Cancelled',
  'ArchiveFailed',
  'RetentionWarning',
] as const;
/** What is written to people about their account and their membership; it is about no session. */
export const accountEvents = ['UserActivation', 'PasswordReset', 'OrganisationWelcome'] as const;
export type AccountEvent = (typeof accountEvents)[number];
export const isAccountEvent = (event: MessageEvent | AccountEvent): event is AccountEvent =>
  (accountEvents as readonly string[]).includes(event);
/** Everything that a profile has words for. */
export const wordedEvents = [...messageEvents, ...accountEvents] as const;

export const messageEventSchema = z.enum(messageEvents);
export type MessageEvent = (typeof messageEvents)[number];

/** Those that are written to everybody who is asked about a proof, each with a link of their own, whatever a profile says. */
export const proofAskEvents = ['ProofRequested', 'ProofReminder'] as const satisfies readonly MessageEvent[];
export type ProofAskEvent = (typeof proofAskEvents)[number];
export const asksAboutProof = (event: MessageEvent): event is ProofAskEvent =>
  (proofAskEvents as readonly MessageEvent[]).includes(event);

/** Services whose incoming hooks take messages, each in its own form. */
export const chatFormats = ['slack', 'teams'] as const;
export const chatFormatSchema = z.enum(chatFormats);
export type ChatFormat = (typeof chatFormats)[number];

/** An incoming hook; its address is kept under this id, encrypted, for whoever knows it can write there. */
export const chatHookSchema = z.object({ format: chatFormatSchema, secretId: z.string().min(1).max(60) });
export type ChatHook = z.output<typeof chatHookSchema>;

/** What is drawn: the settings as they stand in the form, for one event in one language. */
const drawnBodySchema = z.object({
  settings: z.record(z.string(), z.unknown()),
  event: z.enum(wordedEvents),
  locale: localeSchema,
  /** Whose values are filled in; null = those of examples, which what is about no session always has. */
  sessionId: idSchema.nullable().default(null),
});

export const communicationProfileRoutes = {
  ...profileRoutesOf('communication'),
  texts: route({
    method: 'GET',
    path: '/profiles/communication-texts',
    access: may('communication.view'),
    summary: 'The product’s own texts of each event in a language, which are sent where a profile has none of its own',
    query: z.object({ locale: localeSchema.default('en') }),
    result: z.array(
      z.object({ event: z.enum(wordedEvents), subject: z.string(), text: z.string(), button: z.string() }),
    ),
  }),
  preview: route({
    method: 'POST',
    path: '/profiles/communication-preview',
    access: may('communication.view'),
    summary: 'A message as these settings make it; with a session’s values it needs sessions.view, too',
    body: drawnBodySchema,
    result: z.object({
      subject: z.string(),
      text: z.string(),
      /** A whole page without anything active and without addresses that load anything. */
      html: z.string(),
      /** Whom it would be written to; null without a session. */
      recipients: z.array(z.string()).nullable(),
      /** Whether the rules of the event hold; null without a session. */
      isSent: z.boolean().nullable(),
    }),
  }),
  test: route({
    method: 'POST',
    path: '/profiles/communication-test',
    access: may('communication.manage'),
    summary: 'Send a message, as these settings make it, to the caller',
    body: drawnBodySchema,
    result: z.object({ to: z.string() }),
    rateLimit: { max: 30, windowSeconds: 3600 },
  }),
  keepHook: route({
    method: 'POST',
    path: '/profiles/communication-hooks',
    access: may('communication.manage'),
    summary: 'Keep the address of an incoming hook, encrypted; settings name it by its id, and nobody reads it again',
    body: z.object({ text: z.url({ protocol: /^https?$/ }).max(1000) }),
    result: z.object({ id: idSchema }),
    status: 201,
  }),
  testHook: route({
    method: 'POST',
    path: '/profiles/communication-hook-test',
    access: may('communication.manage'),
    summary: 'Write a message, as these settings make it, by an incoming hook; answers when the service has taken it',
    body: drawnBodySchema.extend({ event: messageEventSchema, hook: chatHookSchema }),
    result: z.object({}),
    rateLimit: { max: 30, windowSeconds: 3600 },
  }),
  keepSigningSecret: route({
    method: 'POST',
    path: '/profiles/communication-secrets',
    access: may('communication.manage'),
    summary: 'Keep a secret that signs calls, encrypted; settings name it by its id, and nobody reads it again',
    body: z.object({ text: z.string().min(16).max(200) }),
    result: z.object({ id: idSchema }),
    status: 201,
  }),
  testWebhook: route({
    method: 'POST',
    path: '/profiles/communication-webhook-test',
    access: may('communication.manage'),
    summary: 'Call an address as these settings do, signed, and with `isTest` in the body; answers when it was taken',
    body: drawnBodySchema.extend({ event: messageEventSchema, name: z.string().max(100) }),
    result: z.object({}),
    rateLimit: { max: 30, windowSeconds: 3600 },
  }),
};

/** How a message stands: it waits or is tried again, was sent, was kept because there is no mail server, is not wanted any
 * more, or was given up. */
export const messageStates = ['waiting', 'sent', 'kept', 'unwanted', 'failed'] as const;

/** A message about a session. */
export const sessionMessageSchema = z.object({
  id: idSchema,
  /** Null = not written by a communication profile. */
  event: messageEventSchema.nullable(),
  /** By mail, into a channel of a chat service, or by calling a program; `to` is its name then. */
  channel: z.enum(['mail', ...chatFormats, 'webhook']),
  to: z.string(),
  subject: z.string(),
  /** As sent, except that a link that is the recipient’s alone is left out. */
  text: z.string(),
  state: z.enum(messageStates),
  createdAt: timeSchema,
  sentAt: timeSchema.nullable(),
  /** While it waits: until when, at least; null = it is sent as soon as a worker is free. */
  waitsUntil: timeSchema.nullable(),
  tries: z.number().int(),
  /** What the mail server said last. */
  lastError: z.string().nullable(),
});
export type SessionMessage = z.infer<typeof sessionMessageSchema>;

export const sessionMessageRoutes = {
  list: route({
    method: 'GET',
    path: '/sessions/:id/messages',
    access: may('sessions.view'),
    summary: 'The messages about a session, newest first',
    params: idParamsSchema,
    result: z.array(sessionMessageSchema),
  }),
  retry: route({
    method: 'POST',
    path: '/sessions/:id/messages/:messageId/retry',
    access: may('sessions.restart'),
    summary: 'Send a message again that was given up',
    params: idParamsSchema.extend({ messageId: idSchema }),
    result: z.object({}),
  }),
};
