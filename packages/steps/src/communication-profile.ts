/* The door `@pdf2press/steps/communication-profile`: what is written about a workflow's sessions, to whom, and when. */
import {
  type AccountEvent,
  accountEvents,
  chatFormatSchema,
  type Locale,
  localeSchema,
  type MessageEvent,
  messageEventSchema,
  messageEvents,
  type SettingIssue,
} from '@pdf2press/contract';
import {
  checkRules,
  knownNames,
  loadRegularExpressions,
  namesIn,
  onlyWhen,
  placeholderText,
  type RuleNames,
  ruleGroupSchema,
} from '@pdf2press/settings';
import { z } from 'zod';
import { mostAddresses } from './message.ts';

export { digestDue } from './digest.ts';
export { addressesIn } from './message.ts';
export { quietUntil, workBegins } from './quiet-hours.ts';

const text = (max: number, min = 0) => placeholderText({ scope: 'message', min, max });

/** Addresses, or placeholders that give some; several in one text are parted by commas, semicolons or white space. */
const addresses = z
  .array(placeholderText({ scope: 'message', min: 1, max: 300 }))
  .max(mostAddresses)
  .superRefine((list, context) => {
    for (const [at, address] of list.entries())
      if (!address.includes('{{') && !z.email().safeParse(address.trim()).success)
        context.addIssue({ code: 'custom', path: [at], params: { code: 'value.email' } });
  });

/** What a message says in one language. */
export const messageTextSchema = z.strictObject({
  subject: text(200, 1),
  /** Each line is a paragraph. The part for programs that show no HTML, and without `html` also what HTML is made of. */
  text: text(20_000, 1),
  /** Of the link, where the event has one; empty = the message shows none. */
  button: z.string().trim().max(60).default(''),
  /** HTML in the place of the paragraphs, inside the organization's frame; empty = it is made of `text`. */
  html: text(50_000).default(''),
});
export type MessageText = z.output<typeof messageTextSchema>;

const accountText = (max: number, min = 0) => placeholderText({ scope: 'account', min, max });
const namesLink = (words: string): boolean => namesIn(words).some((name) => name.toLowerCase() === 'link.url');

/** What a message about an account says in one language. One that does not lead to its link is refused: it would be of no use. */
export const accountTextSchema = z
  .strictObject({
    subject: accountText(200, 1),
    /** Each line is a paragraph. The part for programs that show no HTML, and without `html` also what HTML is made of. */
    text: accountText(20_000, 1),
    /** Of the link below the text; empty = the text, and the HTML where there is some, name it themselves. */
    button: z.string().trim().max(60).default(''),
    /** HTML in the place of the paragraphs, inside the house's frame; empty = it is made of `text`. */
    html: accountText(50_000).default(''),
  })
  .superRefine(({ text: written, button, html }, context) => {
    if (button !== '') return;
    const lacking = [
      ...(namesLink(written) ? [] : ['text']),
      ...(html.trim() === '' || namesLink(html) ? [] : ['html']),
    ];
    for (const field of lacking)
      context.addIssue({ code: 'custom', path: [field], params: { code: 'message.linkMissing' } });
  });

/** What is written to somebody about their account: it is always sent, by itself and at once; only its words are set. */
const accountSettingsSchema = z
  .strictObject({
    /** Where a language is missing, the product's own text of that language is sent. */
    texts: z.partialRecord(localeSchema, accountTextSchema).default({}),
  })
  .prefault({});

/** Whoever sent the file in, as far as it is known. */
const senders = ['{{upload.email}}'];
const submitters = ['{{user.email}}'];

/** What a new profile writes about, and to whom. Proofs are written about to those who are asked, in any case. */
const fresh: Readonly<Record<MessageEvent, { isOn: boolean; to: string[] }>> = {
  Received: { isOn: true, to: senders },
  Rejected: { isOn: false, to: [] },
  PreflightPassed: { isOn: false, to: senders },
  PreflightWarnings: { isOn: false, to: senders },
  PreflightFailed: { isOn: false, to: senders },
  FixApplied: { isOn: false, to: submitters },
  ProofRequested: { isOn: true, to: [] },
  ProofReminder: { isOn: true, to: [] },
  ProofApproved: { isOn: false, to: submitters },
  ProofDeclined: { isOn: false, to: submitters },
  ProofExpired: { isOn: false, to: submitters },
  Held: { isOn: false, to: submitters },
  Released: { isOn: false, to: submitters },
  FileReplaced: { isOn: false, to: submitters },
  Rerouted: { isOn: false, to: submitters },
  Completed: { isOn: true, to: senders },
  CompletedWithWarnings: { isOn: true, to: senders },
  Failed: { isOn: true, to: submitters },
  Cancelled: { isOn: false, to: senders },
  ArchiveFailed: { isOn: false, to: submitters },
  RetentionWarning: { isOn: false, to: submitters },
};

const eventSchemaOf = (event: MessageEvent) =>
  z
    .strictObject({
      isOn: z.boolean().default(fresh[event].isOn),
      to: addresses.default(fresh[event].to),
      /** People and roles of the house. */
      people: z
        .array(z.strictObject({ id: z.string().min(1).max(60).meta({ editor: 'assignee' }) }))
        .max(mostAddresses)
        .default([]),
      cc: addresses.default([]),
      bcc: addresses.default([]),
      /**
       * Files that go along, where there are any: the report of the newest preflight, a picture of the first page of the newest
       * proof, the PDF as it is then. Not with what is written to those who are asked about a proof, who see it by their link.
       */
      attach: z.array(z.enum(['report', 'proof', 'production'])).default([]),
      /** It is written only where these hold; without any, always. */
      when: ruleGroupSchema.default({ match: 'all', rules: [] }),
      /** Where a language is missing, the product's own text of that language is sent. */
      texts: z.partialRecord(localeSchema, messageTextSchema).default({}),
    })
    .prefault({});

/** What is written about one event. */
export const messageSettingsSchema = eventSchemaOf('Received');
export type MessageSettings = z.output<typeof messageSettingsSchema>;

const clock = (usual: string) =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .default(usual)
    .meta({ editor: 'timeOfDay' });

/** An address of the web without a name and a password in it. */
function isWebhookAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

const profileShape = z.strictObject({
  /** Shown as the sender, before the address of the mail server's settings; empty = the organization's name. */
  fromName: z.string().trim().max(100).default(''),
  /** Where answers go; empty = where the organization says, else to the sender's address. */
  replyTo: z
    .string()
    .trim()
    .max(200)
    .refine((text) => text === '' || z.email().safeParse(text).success, { params: { code: 'value.email' } })
    .default(''),
  /** `recipient`: people with an account and those who are asked about proofs read their own language, others that of their organization, or the house's. */
  language: z.enum(['recipient', 'house', 'fixed']).default('recipient'),
  locale: onlyWhen({ language: 'fixed' }, localeSchema.default('en')),
  /** In the house's time zone: what would be written in these hours waits until they are over. */
  quietHours: z
    .strictObject({
      isOn: z.boolean().default(false),
      from: onlyWhen({ isOn: true }, clock('20:00')),
      until: onlyWhen({ isOn: true }, clock('07:00')),
    })
    .prefault({}),
  /**
   * What is written to one reader is gathered, and sent as one message: so many hours after the first of it, or at a time of
   * day in the house's time zone. What asks for a decision, and what has files with it, is written by itself.
   */
  digest: z
    .strictObject({
      mode: z.enum(['off', 'hours', 'daily']).default('off'),
      hours: onlyWhen({ mode: 'hours' }, z.int().min(1).max(72).default(4)),
      at: onlyWhen({ mode: 'daily' }, clock('08:00')),
      /** Events that do not wait. */
      atOnce: z.array(messageEventSchema).max(messageEvents.length).default(['Held', 'ProofDeclined', 'Failed']),
    })
    .prefault({}),
  /** Channels of chat services that are written to about these events, whether mail is or not, in the house's language. */
  hooks: z
    .array(
      z.strictObject({
        name: z.string().trim().min(1).max(100),
        format: chatFormatSchema.default('slack'),
        secretId: z.string().min(1).max(60).meta({ editor: 'chatHook' }),
        events: z.array(messageEventSchema).min(1).max(messageEvents.length),
      }),
    )
    .max(10)
    .default([]),
  /**
   * Addresses of programs that are called about these events, signed, whether mail is on or not; conditions hold, quiet hours
   * do not.
   */
  webhooks: z
    .array(
      z.strictObject({
        name: z.string().trim().min(1).max(100),
        url: z
          .string()
          .trim()
          .max(1000)
          .refine(isWebhookAddress, { params: { code: 'value.invalid' } }),
        /** Signs the calls. */
        secretId: z.string().min(1).max(60).meta({ editor: 'signingSecret' }),
        events: z.array(messageEventSchema).min(1).max(messageEvents.length),
      }),
    )
    .max(10)
    .default([]),
  events: z
    .strictObject(
      Object.fromEntries(messageEvents.map((event) => [event, eventSchemaOf(event)])) as Record<
        MessageEvent,
        ReturnType<typeof eventSchemaOf>
      >,
    )
    .prefault({}),
  /** The words of messages about accounts, where the house's settings name this profile for them. */
  accounts: z
    .strictObject(
      Object.fromEntries(accountEvents.map((event) => [event, accountSettingsSchema])) as Record<
        AccountEvent,
        typeof accountSettingsSchema
      >,
    )
    .prefault({}),
});

/** What a communication profile holds. It serves workflows of any variables: a name without a dot may be one of theirs. */
export const communicationProfileSchema = profileShape.superRefine((profile, context) => {
  const { isOn, from, until } = profile.quietHours;
  if (isOn && from === until)
    context.addIssue({ code: 'custom', path: ['quietHours', 'until'], params: { code: 'value.invalid' } });
  for (const { code, field = '', params } of ruleIssues(profile, {
    known: knownNames({ scope: 'rule' }),
    regular: null,
  }))
    if (code !== 'rule.expressionInvalid')
      context.addIssue({ code: 'custom', path: field.split('.'), params: { code, params } });
});
export type CommunicationProfile = z.output<typeof profileShape>;

/** What is wrong with the rules of its events, by the names that a place knows. */
export const ruleIssues = ({ events }: CommunicationProfile, names: RuleNames): SettingIssue[] =>
  messageEvents.flatMap((event) =>
    events[event].when.rules.length === 0
      ? []
      : checkRules(events[event].when, names).map((issue) => ({
          ...issue,
          field: `events.${event}.when.${issue.field}`,
        })),
  );

/** Everything that is wrong with its rules, regular expressions included, whose engine is loaded for it. */
export const communicationIssues = async (profile: CommunicationProfile): Promise<SettingIssue[]> =>
  ruleIssues(profile, { known: knownNames({ scope: 'rule' }), regular: await loadRegularExpressions() });

/** The language of a message. */
export const languageOf = (
  { language, locale }: CommunicationProfile,
  { recipient, house }: { recipient: Locale | null; house: Locale },
): Locale => (language === 'fixed' ? locale : ((language === 'recipient' ? recipient : null) ?? house));
