import { fileTypes, mailServices, usualFileTypes } from '@pdf2press/contract';
import { bytesOrOff, namesField, onlyWhen, patternText } from '@pdf2press/settings';
import { z } from 'zod';
import { sourceContract } from '../source.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

const folder = z.string().trim().min(1).max(200);
const mostBytes = 4 * 1024 ** 3;
/** The parts of a mail that patterns are held against. */
export const mailParts = ['subject', 'sender', 'body'] as const;
const variableName = z.string().trim().max(100).default('');

/** How a mailbox is signed in to: with a password, or by the consent of its account at a service (OAuth 2.0). */
export const mailboxSignIns = ['password', ...mailServices] as const;

/** How a mailbox is reached: what testing a connection needs. */
const serverSettings = {
  signInWith: z.enum(mailboxSignIns).default('password'),
  host: z.string().trim().min(1).max(200).default(''),
  /** `none` sends password and mails in clear text. */
  security: z.enum(['tls', 'startTls', 'none']).default('tls'),
  port: z.number().int().min(1).max(65_535).default(993),
  /** Takes any certificate: whoever is on the way can read password and mails. */
  ignoreSslWarnings: onlyWhen({ security: ['tls', 'startTls'] }, z.boolean().default(false)),
  username: z.string().trim().min(1).max(200).default(''),
  folder: folder.default('INBOX'),
};
export const mailboxServerSchema = z.object(serverSettings);
export type MailboxServer = z.output<typeof mailboxServerSchema>;

/** What the account of a mailbox has allowed; stored encrypted. */
export const mailboxGrantSchema = z.object({ refreshToken: z.string().min(1) });
const mailboxSecretSchema = z.union([z.object({ password: z.string() }), mailboxGrantSchema]);
export type MailboxSecret = z.output<typeof mailboxSecretSchema>;

/** The settings of a mailbox, without its password or grant. */
export const mailboxSettingsSchema = z.object({
  isEnabled: z.boolean().default(true),
  ...serverSettings,
  /** Each attachment becomes a session of this workflow. */
  workflowId: z.string().min(1).max(60).default('').meta({ editor: 'reference', of: 'workflow' }),
  /** Whether mails that were there before the mailbox was connected are taken. */
  startWith: z.enum(['new', 'all']).default('new'),
  /** Mails whose subject does not fit are left alone; `*` matches any characters, empty = any subject. */
  subject: z.string().trim().max(200).default(''),
  /** Addresses whose mails are taken; `*@example.com` is everybody there, none = anybody. */
  senders: namesField(),
  fileTypes: z
    .array(z.enum(fileTypes))
    .min(1)
    .default([...usualFileTypes]),
  minBytes: bytesOrOff(null, { max: mostBytes }),
  maxBytes: bytesOrOff(100 * 1024 * 1024, { max: mostBytes }),
  /** Attachments of one mail that are taken; those after them are refused. */
  maxAttachments: z.number().int().min(1).max(100).default(20),
  /** What happens to a mail when all of its attachments are committed. One with a refused attachment stays, flagged. */
  after: z.enum(['markSeen', 'move', 'delete']).default('markSeen'),
  moveTo: onlyWhen({ after: 'move' }, folder.default('pdf2press')),
  /** Whether senders are told that their files were received, or why not. */
  answersSenders: z.boolean().default(true),
  /** Names of the workflow's variables that are given what the mail says; empty = none. */
  subjectVariable: variableName,
  senderVariable: variableName,
  bodyVariable: variableName,
  /**
   * Variables that are given what stands in their place in a part of the mail: `Order {{order}}, *`. Of a text, line by line;
   * the first that fits counts.
   */
  patterns: z
    .array(z.object({ part: z.enum(mailParts).default('subject'), pattern: patternText({ max: 200 }) }))
    .max(20)
    .default([]),
});
export type MailboxSettings = z.output<typeof mailboxSettingsSchema>;

/** The attachments of the mails in a folder of an IMAP server. */
export const emailContract = sourceContract({
  kind: 'email',
  version: 1,
  settings: z.object({ connectionId: z.string().min(1).max(60) }),
  connection: {
    profile: 'inboundEmail',
    settings: mailboxSettingsSchema,
    secret: mailboxSecretSchema,
  },
  isNamedByConnection: true,
  cursor: z.object({
    uidValidity: z.string(),
    /** Everything up to this UID is settled. */
    uid: z.number().int().min(0),
    /**
     * The time of the newest mail that was there when only new ones were asked for, by the server's clock; null = all are
     * taken.
     */
    after: z.string().nullable(),
    /** Mails below this UID may be older: the server has numbered its mails anew. */
    oldBelow: z.number().int().min(0),
  }),
  sessionSource: 'Email',
  isPolled: true,
  isRemote: true,
  findsRefused: true,
  limitSeconds: 60,
  icon: 'M4 6h16v12H4zM4 7l8 6 8-6',
  group: 'mail',
  feature: 'EmailInjection',
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
