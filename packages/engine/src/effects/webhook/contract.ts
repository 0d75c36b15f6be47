import { messageEventSchema } from '@pdf2press/contract';
import { webhookRequestSchema } from '@pdf2press/steps/contracts';
import { z } from 'zod';
import { defineEffect } from '../effect.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** The secrets of Action steps are stored encrypted under this purpose. */
export const actionSecretPurpose = 'action.secret';

/** A call of a web address: a step waits for it, or a communication profile or a webhook tells of an event. The receiver knows repetitions by their key. */
export const webhookEffect = defineEffect({
  kind: 'webhook',
  payload: webhookRequestSchema.extend({
    /** Of a communication profile: the name of the receiver, and what it is told of, as people read it. */
    told: z
      .object({ name: z.string(), event: messageEventSchema, subject: z.string(), text: z.string() })
      .exactOptional(),
    /** Of the subscriber's webhook that is called: its address and its secrets are those of the time of the call. */
    webhookId: z.string().exactOptional(),
  }),
  leaseMs: 75_000,
  limits: { laneOf: ({ url }) => new URL(url).host, perLane: 2, perSubscriber: 6 },
  patienceMs: 24 * 3_600_000,
  maxTries: (payload) => payload.maxTries,
  afterUnknown: 'repeat',
  words: { en, zh, fr, es, pt, 'it-IT': it },
});
