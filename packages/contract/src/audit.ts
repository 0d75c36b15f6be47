import { z } from 'zod';
import { countedSchema, idSchema, listOf, timeSchema } from './paging.ts';
import { may, route } from './route.ts';

/** Every kind of act that is written into the audit; the word of each is `audit.act.<act>` in the web app. */
export const auditActs = [
  'apiKey.create',
  'apiKey.revoke',
  'arrival.retry',
  'audit.export',
  'backup.ask',
  'backup.schedule',
  'embedToken.create',
  'embedToken.revoke',
  'embedToken.use',
  'feedback.send',
  'file.download',
  'font.add',
  'font.remove',
  'login.failed',
  'login.succeeded',
  'logout',
  'mail.retry',
  'organization.create',
  'organization.delete',
  'organization.makeCode',
  'organization.removeCode',
  'organization.update',
  'passkey.add',
  'passkey.remove',
  'passkey.rename',
  'password.change',
  'password.linkSent',
  'password.reset',
  'person.erase',
  'person.export',
  'profile.connect',
  'profile.connected',
  'profile.create',
  'profile.delete',
  'profile.keepHook',
  'profile.keepSecret',
  'profile.testMessage',
  'profile.update',
  'proof.addNoteFile',
  'proof.addRecipient',
  'proof.answerNote',
  'proof.decide',
  'proof.decideOnBehalf',
  'proof.download',
  'proof.extend',
  'proof.note',
  'proof.notePrivately',
  'proof.removeNote',
  'proof.removePrivateNote',
  'proof.replaceFile',
  'proof.resend',
  'proof.markNote',
  'proof.resolveNote',
  'proof.revoke',
  'releases.look',
  'releases.save',
  'retention.deleteNow',
  'retention.extend',
  'retention.hold',
  'retention.release',
  'role.create',
  'role.delete',
  'role.update',
  'secondFactor.off',
  'secondFactor.on',
  'secondFactor.recoveryCodeUsed',
  'secondFactor.recoveryCodes',
  'secondFactor.reset',
  'session.archive',
  'session.cancel',
  'session.delete',
  'session.deliverAgain',
  'session.downloadResult',
  'session.overwriteVariables',
  'session.replaceFile',
  'session.reroute',
  'session.revoke',
  'session.unarchive',
  'session.unlock',
  'settings.update',
  'setup.done',
  'subscriber.create',
  'subscriber.resume',
  'subscriber.suspend',
  'subscriber.update',
  'token.reused',
  'user.create',
  'user.delete',
  'user.link',
  'user.unlink',
  'user.unlock',
  'user.signOut',
  'user.update',
  'webhook.create',
  'webhook.remove',
  'webhook.retry',
  'webhook.rotate',
  'webhook.test',
  'webhook.update',
  'workflow.assign',
  'workflow.copy',
  'workflow.create',
  'workflow.delete',
  'workflow.enable',
  'workflow.import',
  'workflow.keepSecret',
  'workflow.publish',
] as const;
export type AuditAct = (typeof auditActs)[number];

/** What acts are done to, as the prefix of its id tells; the word of each is `audit.kind.<kind>`. */
export const auditKinds = [
  'apiKey',
  'effect',
  'embedToken',
  'file',
  'font',
  'organization',
  'profile',
  'role',
  'session',
  'subscriber',
  'systemSetting',
  'user',
  'userSession',
  'webhook',
  'workflow',
] as const;
export type AuditKind = (typeof auditKinds)[number];

const actorSchema = z.object({ kind: z.string(), id: z.string(), name: z.string() });
const fieldsSchema = z.record(z.string(), z.unknown()).nullable();

export const auditEntrySchema = z.object({
  no: z.number().int().describe('Position in the chain, from 1'),
  at: timeSchema,
  act: z.string(),
  actor: actorSchema,
  object: z.object({ kind: z.enum(auditKinds).nullable(), id: z.string(), name: z.string().nullable() }),
  before: fieldsSchema,
  after: fieldsSchema,
  ip: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

const filterSchema = z.object({
  person: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe('Part of the name or e-mail address, or the id, of who did it'),
  object: z.string().trim().max(200).optional().describe('Part of the name, or the id, of what it was done to'),
  kind: listOf(z.enum(auditKinds)).describe('What it was done to'),
  act: listOf(z.enum(auditActs)),
  from: z.string().optional().describe('At or after, ISO 8601'),
  to: z.string().optional().describe('Before, ISO 8601'),
});
const positionSchema = countedSchema.optional();

/** What can be wrong at an entry: its content was changed, the one before it is gone, or it does not follow that one. */
export const auditFaultKinds = ['changed', 'missing', 'unlinked'] as const;
export type AuditFaultKind = (typeof auditFaultKinds)[number];

/** How many faults of a chain are named. */
export const mostAuditFaults = 20;

/** An entry of an export: readable, and beside it the text that the database chained, with its hash. */
export const exportedAuditEntrySchema = auditEntrySchema.extend({
  text: z.string(),
  previousHash: z.string(),
  hash: z.string(),
});
export type ExportedAuditEntry = z.infer<typeof exportedAuditEntrySchema>;

/** An export of the audit as JSON, oldest first; an empty filter = every entry up to its time. */
export const auditExportSchema = z.object({
  format: z.literal('pdf2press-audit'),
  formatVersion: z.literal(1),
  subscriberId: idSchema,
  exportedAt: timeSchema,
  filter: z.record(z.string(), z.unknown()),
  entries: z.array(exportedAuditEntrySchema),
});
export type AuditExport = z.infer<typeof auditExportSchema>;

/** What can be wrong with an anchor: its entry is another, is gone, or the anchor was not signed here. */
export const auditAnchorFaults = ['rewritten', 'cutOff', 'forged'] as const;
export type AuditAnchorFault = (typeof auditAnchorFaults)[number];

/** The head of the chain on a day (UTC), signed with the installation's key. */
export const auditAnchorSchema = z.object({
  day: z.iso.date(),
  no: z.number().int().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
  signature: z.string().regex(/^[0-9a-f]{128}$/),
});
export type AuditAnchor = z.infer<typeof auditAnchorSchema>;

/** The anchors of a subscriber, oldest first, to be kept elsewhere. */
export const auditAnchorsSchema = z.object({
  format: z.literal('pdf2press-audit-anchors'),
  formatVersion: z.literal(1),
  subscriberId: idSchema,
  exportedAt: timeSchema,
  anchors: z.array(auditAnchorSchema),
});
export type AuditAnchors = z.infer<typeof auditAnchorsSchema>;

export const auditRoutes = {
  list: route({
    method: 'GET',
    path: '/audit',
    access: may('audit.view'),
    summary: 'Who did what, newest first: those before the entry `before`, or the next after the entry `after`',
    query: filterSchema.extend({
      before: positionSchema,
      after: positionSchema,
      limit: z.coerce.number().int().min(1).max(100).default(25),
    }),
    result: z.object({
      items: z.array(auditEntrySchema),
      names: z.record(z.string(), z.string()).describe('Names of the ids inside `before` and `after`'),
      older: z.number().int().nullable().describe('`before` of the next page'),
      newer: z.number().int().nullable().describe('`after` of the previous page'),
    }),
  }),
  chain: route({
    method: 'GET',
    path: '/audit/chain',
    access: may('audit.view'),
    summary: 'Whether the chain of all entries is unbroken, computed anew from every row, and fits the daily anchors',
    result: z.object({
      count: z.number().int(),
      last: z.object({ no: z.number().int(), hash: z.string() }).nullable(),
      faultCount: z.number().int(),
      faults: z
        .array(z.object({ no: z.number().int(), kind: z.enum(auditFaultKinds) }))
        .describe(`The first ${mostAuditFaults}`),
      anchors: z.object({
        count: z.number().int(),
        last: z.object({ no: z.number().int(), at: timeSchema }).nullable(),
        faultCount: z.number().int(),
        faults: z
          .array(z.object({ no: z.number().int(), at: timeSchema, fault: z.enum(auditAnchorFaults) }))
          .describe(`The first ${mostAuditFaults}`),
      }),
    }),
    rateLimit: { max: 60, windowSeconds: 3600 },
  }),
  anchors: route({
    method: 'GET',
    path: '/audit/anchors',
    access: may('audit.export'),
    summary: 'The daily anchors as JSON, which `pdf2press verify-audit --anchors` checks an export against',
    wire: 'bytes',
    rateLimit: { max: 60, windowSeconds: 3600 },
  }),
  export: route({
    method: 'GET',
    path: '/audit/export',
    access: may('audit.export'),
    summary: 'The filtered entries, oldest first, as CSV, or as JSON that `pdf2press verify-audit` verifies',
    query: filterSchema.extend({ format: z.enum(['csv', 'json']).default('csv') }),
    wire: 'bytes',
    rateLimit: { max: 10, windowSeconds: 3600 },
  }),
};
