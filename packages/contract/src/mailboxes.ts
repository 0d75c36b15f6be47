import { z } from 'zod';
import { idSchema, timeSchema } from './paging.ts';
import { profileRoutesOf } from './profiles.ts';
import { may, route } from './route.ts';
import { sourceFaults } from './sources.ts';

/** What is tried of a mailbox one after the other; without encryption there is no `tls`. */
export const mailboxStages = ['name', 'connect', 'tls', 'signIn', 'list', 'read'] as const;
export type MailboxStage = (typeof mailboxStages)[number];

/** `off`: it is switched off. `workflow`: its workflow is not published, switched off, or takes no mails. */
export const mailboxPauses = ['off', 'workflow'] as const;

export const mailboxStateSchema = z.object({
  id: idSchema,
  workflow: z.object({ id: idSchema, name: z.string() }).nullable(),
  /** Why it is not looked into; null = it is. */
  paused: z.enum(mailboxPauses).nullable(),
  lastLookedAt: timeSchema.nullable(),
  nextLookAt: timeSchema.nullable(),
  /** The message is in the reader's language. */
  failing: z.object({ since: timeSchema, code: z.string(), message: z.string() }).nullable(),
});
export type MailboxState = z.infer<typeof mailboxStateSchema>;

export const mailboxRoutes = {
  ...profileRoutesOf('inboundEmail', 'EmailInjection'),
  states: route({
    method: 'GET',
    path: '/profiles/inboundEmail-states',
    access: may('inboundEmail.view'),
    feature: 'EmailInjection',
    summary: 'When each mailbox was looked into, and since when and why one cannot be',
    result: z.array(mailboxStateSchema),
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
