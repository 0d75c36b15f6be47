import { z } from 'zod';
import { consentRoutesOf } from './consents.ts';
import { idSchema, timeSchema } from './paging.ts';
import { mailboxSorts, profileRoutesSortedBy } from './profiles.ts';
import { may, route } from './route.ts';
import { sourceFaults } from './sources.ts';
import { workflowVariableSchema } from './workflows.ts';

/** The services at which the account of a mailbox can consent, instead of a password. */
export const mailServices = ['Google', 'Microsoft'] as const;
export type MailService = (typeof mailServices)[number];
const mailServiceSchema = z.enum(mailServices);

/** What is tried of a mailbox one after the other; with a password there is no `access`, without encryption no `tls`. */
export const mailboxStages = ['access', 'name', 'connect', 'tls', 'signIn', 'list', 'read'] as const;
export type MailboxStage = (typeof mailboxStages)[number];

/** `off`: it is switched off. `connection`: nobody has connected its account. `workflow`: its workflow is not published, switched off, or takes no mails. */
export const mailboxPauses = ['off', 'connection', 'workflow'] as const;

export const mailboxStateSchema = z.object({
  id: idSchema,
  /** The service at which its account has consented or is to; null = it has a password. */
  service: mailServiceSchema.nullable(),
  /** Who has connected it; null = nobody. */
  account: z.string().nullable(),
  workflow: z.object({ id: idSchema, name: z.string() }).nullable(),
  /** Why it is not looked into; null = it is. */
  paused: z.enum(mailboxPauses).nullable(),
  lastLookedAt: timeSchema.nullable(),
  nextLookAt: timeSchema.nullable(),
  /** The message is in the reader's language. */
  failing: z.object({ since: timeSchema, code: z.string(), message: z.string() }).nullable(),
  /** The variables that it fills in vain, each with the setting that names it; the messages are in the reader's language. */
  unfilled: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })),
});
export type MailboxState = z.infer<typeof mailboxStateSchema>;

export const mailboxRoutes = {
  ...profileRoutesSortedBy(mailboxSorts, 'inboundEmail', 'EmailInjection'),
  ...consentRoutesOf({
    kind: 'inboundEmail',
    feature: 'EmailInjection',
    service: mailServiceSchema,
    leadsBack: '/email/callback',
  }),
  states: route({
    method: 'GET',
    path: '/profiles/inboundEmail-states',
    access: may('inboundEmail.view'),
    feature: 'EmailInjection',
    summary: 'When each mailbox was looked into, and since when and why one cannot be',
    result: z.array(mailboxStateSchema),
  }),
  workflowVariables: route({
    method: 'GET',
    path: '/profiles/inboundEmail-workflow-variables',
    access: may('inboundEmail.view'),
    feature: 'EmailInjection',
    summary: 'The variables of a published workflow, which the mails of a mailbox can fill',
    query: z.object({ workflowId: idSchema }),
    /** Null = there is no such workflow, or it is not published. */
    result: z.object({ variables: z.array(workflowVariableSchema.pick({ name: true, type: true })).nullable() }),
  }),
  test: route({
    method: 'POST',
    path: '/profiles/inboundEmail-test',
    access: may('inboundEmail.manage'),
    feature: 'EmailInjection',
    summary: 'Try the connection of a mailbox stage by stage; changes nothing on the server',
    body: z.object({
      /** The stored mailbox whose password is used where the placeholder for it is sent. */
      id: idSchema.optional(),
      settings: z.record(z.string(), z.unknown()),
    }),
    result: z.object({
      /** Where it ended; the message is in the reader's language. Null = every stage was passed. */
      failed: z.object({ stage: z.enum(mailboxStages), code: z.enum(sourceFaults), message: z.string() }).nullable(),
      folders: z.array(z.string()),
      mails: z.number().int().nullable(),
    }),
    rateLimit: { max: 30, windowSeconds: 3600 },
  }),
};
