import { deliveryRequestSchema } from '@pdf2press/steps/contracts';
import { defineEffect } from '../effect.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** The purpose under which the secret of a target is stored; its text is the JSON that the kind's contract declares. */
export const deliverySecretPurpose = 'delivery.target';

/** A file that goes to a target. A try finds what the one before has done, so it leaves one file however often it is repeated. */
export const deliveryEffect = defineEffect({
  kind: 'delivery',
  payload: deliveryRequestSchema,
  leaseMs: 90_000,
  // A large file on a slow line takes as long as it takes; a connection that is silent ends by itself.
  isRenewed: true,
  limits: { laneOf: ({ targetId }) => targetId, perLane: 2, perSubscriber: 6 },
  patienceMs: 3 * 24 * 3_600_000,
  maxTries: ({ maxTries }) => maxTries,
  afterUnknown: 'repeat',
  tells: 'delivery.view',
  words: { en, zh, fr, es, pt, 'it-IT': it },
});
