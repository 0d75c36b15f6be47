import { chatHookSchema, messageEventSchema } from '@pdf2press/contract';
import { z } from 'zod';
import { defineEffect } from '../effect.ts';
import { quietEnd, quietSchema } from '../quiet.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** The address of an incoming hook lets anybody write there; it is stored encrypted under this purpose. */
export const hookPurpose = 'chat.hook';

/** What is written into a channel. All texts are final. */
export const chatMessageSchema = z.object({
  title: z.string(),
  /** Each line is a paragraph. */
  text: z.string(),
  /** Where the button leads; absent = there is none. */
  link: z.object({ text: z.string(), href: z.string() }).exactOptional(),
});
export type ChatMessage = z.output<typeof chatMessageSchema>;

/** A message that waits to be written into a channel by its incoming hook. */
export const chatEffect = defineEffect({
  kind: 'chat',
  payload: z.object({
    hook: chatHookSchema,
    name: z.string(),
    event: messageEventSchema,
    message: chatMessageSchema,
    quiet: quietSchema.exactOptional(),
  }),
  heldUntil: ({ quiet }, at) => quietEnd(quiet, at),
  leaseMs: 75_000,
  // These services take one message a second of each hook.
  limits: { laneOf: ({ hook }) => hook.secretId, perLane: 1, perSubscriber: 6 },
  patienceMs: 24 * 3_600_000,
  // They know no repetitions.
  afterUnknown: 'repeatOnce',
  tells: 'communication.manage',
  words: { en, zh, fr, es, pt, 'it-IT': it },
});
