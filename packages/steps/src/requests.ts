import { deliveryCollisions, type Locale } from '@pdf2press/contract';
import { z } from 'zod';

/* What steps ask to be sent out. The engine records it with the step's result and carries it out afterwards. */

/** A call of a web address. All texts are final: placeholders are filled in. */
export const webhookRequestSchema = z.object({
  url: z.url(),
  method: z.enum(['POST', 'PUT', 'PATCH', 'GET', 'DELETE']),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  body: z.string(),
  /** Id of the stored secret that signs the call; empty = it is not signed. */
  secretId: z.string(),
  /** Id of the stored secret that is the value of the header `Authorization`; empty = the call has none. */
  authorizationId: z.string(),
  /** Places in the answer's JSON whose values are kept. */
  paths: z.array(z.string()),
  /** How often it is tried before it is given up; null = for a day. */
  maxTries: z.int().min(1).nullable(),
});
export type WebhookRequest = z.output<typeof webhookRequestSchema>;

/** What is kept of the answer to a call that went through: plain values by their path; a path that leads to none is absent. */
export const webhookAnswerSchema = z.object({
  status: z.int(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

/** Why a call or a message was given up; `status` is that of an answer, `text` its beginning. */
export const effectRefusalSchema = z.object({
  code: z.enum([
    'ACTION_BLOCKED',
    'ACTION_REFUSED',
    'ACTION_UNREACHABLE',
    'ACTION_ANSWER_TOO_LONG',
    'ACTION_SECRET_GONE',
  ]),
  status: z.int().exactOptional(),
  text: z.string().exactOptional(),
});
export type EffectRefusal = z.output<typeof effectRefusalSchema>;

/** A message whose texts are final. */
export interface MessageRequest {
  template: 'message';
  to: string;
  /** Of whom it is written to. */
  name: string;
  locale: Locale;
  params: Record<never, never>;
  content: { subject: string; text: string };
  /** As of a call. */
  maxTries: number | null;
}

/** A file that goes to a target. Names are final. */
export const deliveryRequestSchema = z.object({
  /** Of the profile that says where it goes; used as it is when the file is sent. */
  targetId: z.string(),
  file: z.object({ id: z.string(), sha256: z.string(), size: z.number(), mediaType: z.string() }),
  /** Names of folders below that of the target. */
  folder: z.array(z.string()),
  name: z.string(),
  collision: z.enum(deliveryCollisions),
  runNo: z.int(),
  /** As of a call. */
  maxTries: z.int().min(1).nullable(),
});
export type DeliveryRequest = z.output<typeof deliveryRequestSchema>;

/** What became of a delivery: where the file lies, or why it does not. */
export const deliveryAnswerSchema = z.union([
  z.object({ address: z.string() }),
  z.object({ code: z.string(), params: z.record(z.string(), z.unknown()), target: z.string() }),
]);
