import { messageEventSchema, retentionParts, sessionStatusSchema } from '@pdf2press/contract';
import { z } from 'zod';
import { defineEffect } from '../effect.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/**
 * Something happened that a session's communication profile writes about, or that webhooks of the subscriber are about: the
 * messages and calls are made from this, and become effects of their own in the transaction that ends it.
 */
export const communicationEffect = defineEffect({
  kind: 'communication',
  payload: z.object({
    event: messageEventSchema,
    /** Of the profile in the session's version; null = it is for the subscriber's webhooks alone. */
    profileId: z.string().nullable(),
    /** The webhooks that were about it when it happened. */
    webhookIds: z.array(z.string()).exactOptional(),
    /** When it happened, to the microsecond, as programs are told. */
    at: z.string().exactOptional(),
    /** Where the session stood. */
    status: sessionStatusSchema.exactOptional(),
    /** The proof that it is about. */
    proofId: z.string().exactOptional(),
    /** Somebody who is asked about it: the link with this number is theirs. */
    asked: z.object({ recipientId: z.string(), no: z.int() }).exactOptional(),
    /** What the messages to others than who is asked are named by: one is written, however many are asked. */
    cause: z.string(),
    failure: z.object({ code: z.string(), params: z.record(z.string(), z.unknown()) }).exactOptional(),
    /** A file that was refused: there is no session of it. */
    refusal: z
      .object({
        versionId: z.string(),
        fileName: z.string(),
        /** Bytes, where they were counted. */
        size: z.number().nullable(),
        /** As a session would name where it came from. */
        source: z.string(),
        sourceName: z.string(),
        at: z.string(),
      })
      .exactOptional(),
    /** What of its files goes, and when. */
    deletion: z
      .object({ parts: z.array(z.enum(retentionParts)).readonly(), at: z.string(), days: z.int() })
      .exactOptional(),
  }),
  leaseMs: 60_000,
  patienceMs: 72 * 3_600_000,
  afterUnknown: 'repeat',
  tells: 'communication.manage',
  words: { en, zh, fr, es, pt, 'it-IT': it },
});

/** What happened, as it is recorded. */
export type Happened = z.output<(typeof communicationEffect)['payload']>;
