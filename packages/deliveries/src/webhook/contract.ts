import { z } from 'zod';
import { deliveryContract } from '../delivery.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** A web address that is sent the bytes of each file. */
export const webhookContract = deliveryContract({
  kind: 'webhook',
  settings: z.object({
    /** Without user, password and fragment. */
    address: z
      .string()
      .trim()
      .max(2000)
      .regex(/^https?:\/\/[^\s/?#@\\]+([/?][^\s#\\]*)?$/),
    method: z.enum(['POST', 'PUT']).default('POST'),
  }),
  secret: z.object({
    /** Empty = not signed. */
    signingSecret: z
      .string()
      .max(1000)
      .regex(/^(.{16,})?$/)
      .default(''),
  }),
  destination: ['address'],
  stages: ['name', 'connect', 'write'],
  icon: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M4 12h16M12 4c3 2.5 3 13.5 0 16M12 4c-3 2.5-3 13.5 0 16',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
