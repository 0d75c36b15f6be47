import { z } from 'zod';
import type { ErrorParams } from './faults.ts';
import { idParamsSchema, idSchema, timeSchema } from './paging.ts';
import { profileRoutesOf } from './profiles.ts';
import { may, route } from './route.ts';

/** Ways out: where files can be delivered to. */
export const deliveryKinds = ['folder', 's3', 'sftp', 'cloud', 'webhook', 'email'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** What is tried of a target one after the other; each kind has those that there are. */
export const deliveryStages = ['name', 'connect', 'signIn', 'write', 'readBack', 'remove'] as const;
export type DeliveryStage = (typeof deliveryStages)[number];

/** Why a file cannot be delivered, with a sentence each in the message files. */
export const deliveryFaults = [
  'delivery.targetGone',
  'delivery.fileGone',
  'delivery.settingsInvalid',
  'delivery.secretUnreadable',
  'delivery.outside',
  'delivery.folderMissing',
  'delivery.hostUnknown',
  'delivery.hostBlocked',
  'delivery.hostKeyChanged',
  'delivery.unreachable',
  'delivery.denied',
  'delivery.signInNeeded',
  'delivery.busy',
  'delivery.nameTaken',
  'delivery.full',
  'delivery.damaged',
  'delivery.noMailServer',
  'delivery.noRecipient',
  'delivery.mailRefused',
  'delivery.mailReturned',
  'delivery.failed',
] as const;
export type DeliveryFault = (typeof deliveryFaults)[number];

const final: ReadonlySet<DeliveryFault> = new Set([
  'delivery.targetGone',
  'delivery.fileGone',
  'delivery.settingsInvalid',
  'delivery.outside',
  'delivery.hostBlocked',
  'delivery.hostKeyChanged',
  'delivery.nameTaken',
  'delivery.noMailServer',
  'delivery.noRecipient',
  'delivery.mailRefused',
  'delivery.mailReturned',
]);

/** A delivery that failed for a known reason. The parameters are shown to people and never hold a secret. */
export class DeliveryFaultError extends Error {
  readonly code: DeliveryFault;
  readonly params: ErrorParams;
  constructor(code: DeliveryFault, params: ErrorParams = {}, options?: ErrorOptions) {
    super(code, options);
    this.name = 'DeliveryFaultError';
    this.code = code;
    this.params = params;
  }
  /** Another try is useless until a person has put something right. */
  get isFinal(): boolean {
    return final.has(this.code);
  }
}

/** What is done when the target has a file of the name already. */
export const deliveryCollisions = ['number', 'replace', 'refuse'] as const;
export type DeliveryCollision = (typeof deliveryCollisions)[number];

export const deliveryStates = ['Waiting', 'Delivered', 'GivenUp'] as const;

/** A file on its way to a target, or there. */
export const sessionDeliverySchema = z.object({
  id: idSchema,
  runNo: z.number().int(),
  fileName: z.string(),
  sizeBytes: z.number().int(),
  target: z.object({ id: idSchema, name: z.string(), kind: z.enum(deliveryKinds) }).nullable(),
  state: z.enum(deliveryStates),
  /** Where it lies, as the target names the place; null as long as it does not lie there. */
  address: z.string().nullable(),
  tries: z.number().int(),
  createdAt: timeSchema,
  deliveredAt: timeSchema.nullable(),
  nextTryAt: timeSchema.nullable(),
  /** Why the newest try failed, in the reader’s language. */
  problem: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type SessionDelivery = z.infer<typeof sessionDeliverySchema>;

export const deliveryTargetRoutes = {
  ...profileRoutesOf('delivery'),
  test: route({
    method: 'POST',
    path: '/profiles/delivery-test',
    access: may('delivery.manage'),
    summary: 'Try a delivery target stage by stage: a small file is written, read back and removed',
    body: z.object({
      /** The stored target whose secret is used where the placeholder for it is sent. */
      id: idSchema.optional(),
      settings: z.record(z.string(), z.unknown()),
    }),
    result: z.object({
      stages: z.array(z.enum(deliveryStages)),
      /** Where it ended; the message is in the reader’s language. Null = every stage was passed. */
      failed: z.object({ stage: z.enum(deliveryStages), code: z.enum(deliveryFaults), message: z.string() }).nullable(),
      /** The key by which a server of SFTP says who it is; null where there is none. */
      hostKey: z.string().nullable(),
    }),
    rateLimit: { max: 60, windowSeconds: 3600 },
  }),
};

export const deliveryRoutes = {
  ofSession: route({
    method: 'GET',
    path: '/sessions/:id/deliveries',
    access: may('sessions.view'),
    summary: 'Files of a session that were delivered, are on their way or could not be delivered, the newest first',
    params: idParamsSchema,
    result: z.array(sessionDeliverySchema),
  }),
  resend: route({
    method: 'POST',
    path: '/sessions/:id/deliveries/:deliveryId/resend',
    access: may('sessions.restart'),
    summary: 'Deliver a file once more: one that was given up is tried again, one that was delivered goes out again',
    params: idParamsSchema.extend({ deliveryId: idSchema }),
    result: z.array(sessionDeliverySchema),
  }),
};
