import { externalIdSchema, idSchema, sessionPrioritySchema, variableValuesSchema, waysIn } from '@pdf2press/contract';
import { z } from 'zod';
import { defineEffect } from '../effect.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

export const fetchPayloadSchema = z.object({
  /** Of the delivery at its source, as a file that is sent has one. */
  ingestKey: z.string(),
  /** Empty once the file is here: an address may hold what opens it. */
  fileUrl: z.string(),
  /** SHA-256 of the address, by which a repetition with another one is told. */
  addressHash: z.string(),
  host: z.string(),
  /** Null: the server names it. */
  fileName: z.string().nullable(),
  workflowId: idSchema,
  variables: variableValuesSchema,
  externalId: externalIdSchema.nullable(),
  organizationId: idSchema.nullable(),
  priority: sessionPrioritySchema,
  source: z.enum(['ExternalApi', 'ManualInjected']),
  /** Where the source alone does not tell it: a shop. */
  way: z.enum(waysIn).exactOptional(),
  /** Whoever asked for it, as its session names them. */
  sourceName: z.string(),
  createdBy: z.object({
    kind: z.enum(['system', 'user', 'customer', 'apiKey', 'embed']),
    id: z.string().exactOptional(),
    name: z.string(),
  }),
});

/** A file that somebody hands in by its address: downloaded, and then taken as one that was sent. */
export const fetchEffect = defineEffect({
  kind: 'fetch',
  payload: fetchPayloadSchema,
  leaseMs: 60_000,
  // A large file on a slow line takes as long as it takes; a connection that is silent ends by itself.
  isRenewed: true,
  limits: { laneOf: ({ host }) => host, perLane: 4, perSubscriber: 8 },
  patienceMs: 6 * 3_600_000,
  afterUnknown: 'repeat',
  words: { en, zh, fr, es, pt, 'it-IT': it },
});
