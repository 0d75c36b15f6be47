import { locales, messageEventSchema } from '@pdf2press/contract';
import { mailTemplates } from '@pdf2press/mail';
import { z } from 'zod';
import { defineEffect } from '../effect.ts';
import { quietEnd, quietSchema } from '../quiet.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** A secret link of a message is stored encrypted under this purpose until the message is delivered. */
export const linkPurpose = 'mail.link';

/** A message that waits to be sent: template, parameters and recipient. */
export const mailEffect = defineEffect({
  kind: 'mail',
  payload: z.object({
    template: z.enum([...mailTemplates, 'message']),
    to: z.string(),
    name: z.string(),
    locale: z.enum(locales),
    params: z.object({
      device: z.string().exactOptional(),
      ip: z.string().exactOptional(),
      minutes: z.number().exactOptional(),
      file: z.string().exactOptional(),
      organization: z.string().exactOptional(),
      reference: z.string().exactOptional(),
      problems: z.string().exactOptional(),
      headline: z.string().exactOptional(),
      notices: z.string().exactOptional(),
      people: z.string().exactOptional(),
      approve: z.string().exactOptional(),
      decline: z.string().exactOptional(),
    }),
    linkSecretId: z.string().exactOptional(),
    /** Of a `message`, which a person wrote. */
    content: z
      .object({
        subject: z.string(),
        text: z.string(),
        /** A whole page; without it one is made of the text. */
        html: z.string().exactOptional(),
      })
      .exactOptional(),
    /** What a communication profile wrote about, and how its messages are sent. */
    event: messageEventSchema.exactOptional(),
    fromName: z.string().exactOptional(),
    replyTo: z.string().exactOptional(),
    /** Message-ID of the mail that this answers. */
    inReplyTo: z.string().exactOptional(),
    shownTo: z.array(z.string()).exactOptional(),
    shownCc: z.array(z.string()).exactOptional(),
    /** Whose look a message of the product has; absent = the product's. */
    brand: z.object({ name: z.string(), color: z.string().nullable() }).exactOptional(),
    /** SHA-256 of the organization's logo, or `house`: what the page shows as `cid:logo`. */
    logo: z.string().exactOptional(),
    /** Files of the session that go along. */
    fileIds: z.array(z.string()).exactOptional(),
    /** A small picture that belongs to no session and goes along. */
    picture: z.object({ name: z.string(), mediaType: z.string(), base64: z.string() }).exactOptional(),
    maxTries: z.int().nullable().exactOptional(),
    /** Of a page of the product that the message leads to, where that is no secret. */
    path: z.string().exactOptional(),
    /** The recipient's link to a proof, by its number; its secret is made when the message is sent. */
    proofLink: z.object({ recipientId: z.string(), no: z.int() }).exactOptional(),
    /** The code that opens a recipient's link, by its number; it is made when the message is sent. */
    proofCode: z.object({ recipientId: z.string(), no: z.int(), codeNo: z.int() }).exactOptional(),
    /** A message that gathers others to the same reader: the keys of their effects, in their order. */
    digest: z
      .object({
        /** What is gathered together. */
        of: z.string(),
        brand: z.object({ name: z.string(), color: z.string().nullable() }),
        items: z.array(z.string()),
      })
      .exactOptional(),
    /** It is sent as a part of the digest with this key; what that shows of it. */
    gathered: z
      .object({
        in: z.string(),
        paragraphs: z.array(z.string()),
        link: z.object({ text: z.string(), href: z.string() }).exactOptional(),
      })
      .exactOptional(),
    quiet: quietSchema.exactOptional(),
  }),
  heldUntil: ({ quiet }, at) => quietEnd(quiet, at),
  maxTries: (payload) => payload.maxTries,
  leaseMs: 90_000,
  patienceMs: 72 * 3_600_000,
  afterUnknown: 'repeatOnce',
  tells: 'settings.smtp.manage',
  words: { en, zh, fr, es, pt, 'it-IT': it },
});
