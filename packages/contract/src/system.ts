import { z } from 'zod';
import { featureKeySchema } from './enumerations.ts';
import { idParamsSchema, idSchema, timeSchema } from './paging.ts';
import { planStateSchema } from './plans.ts';
import { may, publicAccess, route, signedIn } from './route.ts';
import {
  archivingConfigSchema,
  noticeHookSchema,
  savedSystemSettingsSchema,
  smtpSettingsSchema,
  systemSettingsSchema,
} from './settings.ts';
import { unitSchema } from './unit-schema.ts';

const anySettings = may('settings.view');

export const noticeSeverities = ['Info', 'Warning', 'Error'] as const;
const noticeKindSchema = z.object({
  kind: z.string(),
  label: z.string(),
  isMuted: z.boolean(),
  isMailed: z.boolean().describe('Whether it comes by e-mail, too'),
  goesByHook: z.boolean().describe('Whether it can go to the web address of the settings'),
});
const kindsSchema = z.array(z.string().max(100)).max(200);

/** Paths are part of the public API and stay as they are, the misspelt `testAchiveConnection` included. */
export const systemRoutes = {
  settings: route({
    method: 'GET',
    path: '/SystemSettings',
    access: anySettings,
    summary: 'System settings; secrets are masked',
    result: systemSettingsSchema,
  }),
  settingsLowerCase: route({
    method: 'GET',
    path: '/systemSettings',
    access: anySettings,
    summary: 'System settings, under the older path',
    result: systemSettingsSchema,
  }),
  getSettings: route({
    method: 'GET',
    path: '/systemSettings/getsettings',
    access: anySettings,
    summary: 'System settings',
    result: systemSettingsSchema,
  }),
  saveSettings: route({
    method: 'PUT',
    path: '/SystemSettings',
    access: may(
      'settings.general.manage',
      'settings.security.manage',
      'settings.smtp.manage',
      'settings.archiving.manage',
      'webhooks.manage',
    ),
    summary: 'Save system settings; each part needs its own permission, a masked secret is kept',
    body: savedSystemSettingsSchema,
    result: systemSettingsSchema,
  }),
  cultures: route({
    method: 'GET',
    path: '/systemSettings/cultures',
    access: signedIn,
    summary: 'Cultures to choose from',
    result: z.array(z.object({ code: z.string(), name: z.string() })),
  }),
  storageMetrics: route({
    method: 'GET',
    path: '/SystemSettings/storage-metrics',
    access: may('storage.metrics.view'),
    summary: 'Number and size of stored files',
    result: z.object({
      totalBytes: z.number(),
      fileCount: z.number().int(),
      byKind: z.array(z.object({ kind: z.string(), bytes: z.number(), files: z.number().int() })),
      diskFreeBytes: z.number().nullable(),
    }),
  }),
  plan: route({
    method: 'GET',
    path: '/SystemSettings/plan',
    access: may('settings.view', 'storage.metrics.view'),
    summary: 'The plan of the subscriber, what of its quotas is used, and what storage beyond it costs',
    result: planStateSchema,
  }),
  testArchiving: route({
    method: 'POST',
    path: '/SystemSettings/testAchiveConnection',
    feature: 'Archiving',
    access: may('settings.archiving.manage'),
    summary: 'Test the archive: writes, reads, compares and deletes one object',
    body: archivingConfigSchema,
    result: z.object({ isConnected: z.boolean() }),
    rateLimit: { max: 10, windowSeconds: 3600 },
  }),
  testMail: route({
    method: 'POST',
    path: '/SystemSettings/testSmtpConnection',
    access: may('settings.smtp.manage'),
    summary: 'Test the mail server: connects, signs in and sends one message to the caller',
    body: smtpSettingsSchema,
    result: z.object({ isConnected: z.boolean() }),
    rateLimit: { max: 10, windowSeconds: 3600 },
  }),
  testNoticeHook: route({
    method: 'POST',
    path: '/SystemSettings/testNoticeHook',
    access: may('webhooks.manage'),
    summary: 'Test the web address for notifications: calls it with one that says that it is a test',
    body: noticeHookSchema.extend({ url: z.url({ protocol: /^https?$/ }).max(2000) }),
    result: z.object({ isConnected: z.boolean() }),
    rateLimit: { max: 10, windowSeconds: 3600 },
  }),
  features: route({
    method: 'GET',
    path: '/subscriber/getFeatures',
    access: signedIn,
    summary: 'Features of the plan',
    isEmbeddable: true,
    query: z.object({ subscriberId: idSchema.optional() }),
    result: z.array(z.object({ featureKey: featureKeySchema })),
  }),
  keptMail: route({
    method: 'GET',
    path: '/kept-mail',
    access: may('settings.smtp.manage'),
    summary: 'Messages kept on disk while no mail server is set',
    result: z.array(
      z.object({ id: z.string(), to: z.string(), subject: z.string(), at: timeSchema, text: z.string() }),
    ),
  }),
  openMail: route({
    method: 'GET',
    path: '/mails',
    access: may('settings.smtp.manage'),
    summary: 'Undelivered messages, waiting for the next attempt or given up; newest first',
    result: z.array(
      z.object({
        id: idSchema,
        to: z.string(),
        template: z.string(),
        /** Given up after three days of failures, or refused for good. */
        isDead: z.boolean(),
        attempts: z.number().int(),
        lastError: z.string().nullable(),
        createdAt: timeSchema,
        nextAt: timeSchema.nullable(),
      }),
    ),
  }),
  retryMail: route({
    method: 'POST',
    path: '/mails/:id/retry',
    access: may('settings.smtp.manage'),
    summary: 'Retry a message that was given up',
    params: idParamsSchema,
    result: z.object({}),
  }),
  cspReport: route({
    method: 'POST',
    path: '/csp-reports',
    access: publicAccess,
    summary: 'Receives content security policy reports of browsers; they are counted and logged',
    wire: 'bytes',
    rateLimit: { max: 60, windowSeconds: 60 },
  }),
  notifications: route({
    method: 'GET',
    path: '/notifications',
    access: signedIn,
    summary:
      'Own notifications of kinds that are not muted, newest first; they end by themselves when their cause is gone',
    result: z.array(
      z.object({
        id: idSchema,
        code: z.string(),
        kind: z.string().describe('What is muted: see /notifications/kinds'),
        severity: z.enum(noticeSeverities),
        params: z.record(z.string(), z.unknown()),
        message: z.string(),
        whatToDo: z.string().nullable(),
        link: z.string().nullable().describe('The page of the web app where it is looked at or put right'),
        at: timeSchema,
        endedAt: timeSchema.nullable().describe('When its cause was gone'),
        isRead: z.boolean(),
      }),
    ),
  }),
  noticeKinds: route({
    method: 'GET',
    path: '/notifications/kinds',
    access: signedIn,
    summary: 'Kinds of notifications that the caller may be told of, and which of them are muted or mailed',
    result: z.array(noticeKindSchema),
  }),
  muteNotices: route({
    method: 'PUT',
    path: '/notifications/kinds',
    access: signedIn,
    summary: 'Mute these kinds of notifications for oneself, and no others; which of the others come by e-mail, too',
    body: z.object({ muted: kindsSchema, mailed: kindsSchema.optional().describe('Without it: as it was') }),
    result: z.array(noticeKindSchema),
  }),
  markNotificationsRead: route({
    method: 'POST',
    path: '/notifications/read',
    access: signedIn,
    summary: 'Mark all own notifications read',
    result: z.object({}),
  }),
  markNotificationRead: route({
    method: 'POST',
    path: '/notifications/:id/read',
    access: signedIn,
    summary: 'Mark a notification read',
    params: idParamsSchema,
    result: z.object({}),
  }),
  certificateKey: route({
    method: 'GET',
    path: '/certificate-key.pem',
    access: publicAccess,
    summary: 'The public key that certificates of this installation are verified with (Ed25519, PEM)',
    wire: 'bytes',
  }),
  /** What the web app needs before sign-in. */
  appInfo: route({
    method: 'GET',
    path: '/app-info',
    access: publicAccess,
    summary: 'Title, version and whether the set-up is done',
    result: z.object({
      title: z.string(),
      version: z.string().nullable(),
      isSetUp: z.boolean(),
      maxUploadBytes: z.number(),
      defaultUnit: unitSchema,
    }),
  }),
};

/** Resumable uploads by the tus 1.0.0 protocol; the last PATCH is answered when the session exists. */
export const uploadRoutes = {
  create: route({
    method: 'POST',
    path: '/uploads',
    access: may('sessions.inject'),
    summary:
      'Start a resumable upload (tus); metadata: filename, workflowId, variables. Without workflowId the file waits for a day until POST /sessions or POST /sessions/batch names it',
    wire: 'tus',
  }),
  append: route({
    method: 'PATCH',
    path: '/uploads/:id',
    access: may('sessions.inject'),
    summary: 'Send bytes at the offset',
    params: idParamsSchema,
    wire: 'tus',
  }),
  remove: route({
    method: 'DELETE',
    path: '/uploads/:id',
    access: may('sessions.inject'),
    summary: 'Cancel an upload',
    params: idParamsSchema,
    wire: 'tus',
  }),
  get: route({
    method: 'GET',
    path: '/uploads/:id',
    access: may('sessions.inject'),
    summary: 'Offset of an upload, and its session once complete',
    params: idParamsSchema,
    result: z.object({ id: idSchema, offset: z.number(), length: z.number(), sessionId: idSchema.nullable() }),
  }),
};
