import { z } from 'zod';
import { type ApprovalPolicy, approvalPolicies, type ResultLevel, type Severity } from './enumerations.ts';
import { localeSchema } from './locale-schema.ts';
import type { Locale } from './locales.ts';

/** Names that other programs use for the same policies. */
const otherPolicyNames: Readonly<Record<string, ApprovalPolicy>> = {
  AlwaysAllow: 'AlwaysApprove',
  RequestUserConfirmationOnFailures: 'ConfirmIfError',
  RequestUserConfirmationOnWarningsAndFailures: 'ConfirmIfWarnOrError',
  DisableApprovalOnFailure: 'Decline',
};

/** A policy by either of its names; it is stored and answered by the first. */
export const givenApprovalPolicySchema = z.preprocess(
  (given) => (typeof given === 'string' && Object.hasOwn(otherPolicyNames, given) ? otherPolicyNames[given] : given),
  z.enum(approvalPolicies),
);

/** What approving needs: nothing, that the findings are accepted, or it is not possible. */
export type ApprovalNeed = 'nothing' | 'acceptance' | 'impossible';

/** What each policy asks of whoever approves a file whose newest preflight had this result. */
export const approvalNeeds: Readonly<Record<ApprovalPolicy, Readonly<Record<ResultLevel, ApprovalNeed>>>> = {
  AlwaysApprove: { Success: 'nothing', Warning: 'nothing', Error: 'nothing' },
  ConfirmIfError: { Success: 'nothing', Warning: 'nothing', Error: 'acceptance' },
  ConfirmIfWarnOrError: { Success: 'nothing', Warning: 'acceptance', Error: 'acceptance' },
  Decline: { Success: 'nothing', Warning: 'nothing', Error: 'impossible' },
};

/** Which findings are accepted with an approval. */
export const severitiesToAccept = (policy: ApprovalPolicy, level: ResultLevel): readonly Severity[] => {
  if (approvalNeeds[policy][level] !== 'acceptance') return [];
  return policy === 'ConfirmIfError' ? ['Fail'] : ['Fail', 'Warn'];
};

/** The findings that recipients see of a profile. */
export const severitiesShown = ({ show, reportFilter }: Pick<ProofProfile, 'show' | 'reportFilter'>): Severity[] => {
  if (!show.findings) return [];
  return reportFilter === 'Errors' ? ['Fail'] : ['Fail', 'Warn'];
};

/** The sentence of a profile in a language, else in English, else in any. */
export const profileWords = (text: Partial<Record<Locale, string>>, locale: Locale): string =>
  text[locale] || text.en || Object.values(text).find(Boolean) || '';

/** How the decisions of several people, gatekeepers left out, make one. `Sequence` asks one after the other. */
export const proofModes = ['Any', 'All', 'Quorum', 'Sequence'] as const;
export type ProofMode = (typeof proofModes)[number];

/**
 * What happens at the deadline. `Remind` writes once more to those who have not decided; `Escalate` asks others in their
 * place, or holds where there is nobody else; `AutoApprove` holds instead where the policy asks for an acceptance, or a
 * gatekeeper has not approved; `Hold` closes the proof for its recipients and leaves the decision to the house; `Expire`
 * leaves by the exit Expired, which the step must have.
 */
export const deadlineActions = [
  'Nothing',
  'Remind',
  'Escalate',
  'AutoApprove',
  'AutoDecline',
  'Hold',
  'Expire',
] as const;
export type DeadlineAction = (typeof deadlineActions)[number];

/**
 * What a declined proof leads to: the step's exit Declined; the session waits for the house; or it waits for a corrected
 * file, which the recipients may send.
 */
export const declineActions = ['Outcome', 'Hold', 'AskReplacement'] as const;
export type DeclineAction = (typeof declineActions)[number];

/** Whether recipients decide on the file as a whole, or on each of its pages. */
export const pageLevels = ['file', 'page'] as const;
export type PageLevel = (typeof pageLevels)[number];

/**
 * What somebody needs besides the link. `code`: six digits that are mailed to the address the link was sent to, so that whoever
 * was only given the link sees nothing.
 */
export const linkProtections = ['none', 'code'] as const;
export type LinkProtection = (typeof linkProtections)[number];

/**
 * What recipients may load: nothing, a copy with pictures of the pages that is no good for print, or the file that will be
 * printed.
 */
export const downloadKinds = ['none', 'lowResolution', 'production'] as const;

/** A text in some languages. */
const wordsSchema = (longest: number) =>
  z.partialRecord(localeSchema, z.string().trim().max(longest)).meta({ editor: 'words', of: String(longest) });

/**
 * Gatekeepers are asked first and all of them must approve; then the others are asked, among whom the mode counts. One
 * gatekeeper who declines ends the proof.
 */
const isGatekeeper = z.boolean().default(false);

/** Mail addresses, or placeholders that give some. */
const addressShape = {
  kind: z.literal('address'),
  /** Several are separated by commas, semicolons or white space. */
  address: z.string().trim().min(1).max(300).meta({ placeholders: 'session' }),
  name: z.string().trim().max(200).default('').meta({ placeholders: 'session' }),
};
/** A person of the house, or everybody with a role. */
const assigneeShape = { kind: z.literal('assignee'), id: z.string().min(1).max(60).meta({ editor: 'assignee' }) };

export const proofApproverSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...addressShape, isGatekeeper }),
  z.strictObject({ ...assigneeShape, isGatekeeper }),
]);
export type ProofApprover = z.output<typeof proofApproverSchema>;

/** Who is asked in place of others, or gets a copy. */
const proofDeputySchema = z.discriminatedUnion('kind', [z.strictObject(addressShape), z.strictObject(assigneeShape)]);
export type ProofDeputy = z.output<typeof proofDeputySchema>;

const longestHours = 8760;

/** A time of day. */
const clock = (initial: string) =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .default(initial)
    .meta({ appliesWhen: { isOn: true } });

/** How a proof is shown, asked for and decided. */
export const proofProfileSchema = z.strictObject({
  /** Null = as the settings of the installation say. */
  approvalPolicy: givenApprovalPolicySchema.nullable().default(null),
  /** Which findings recipients see. What they must accept is shown in any case. */
  reportFilter: z.enum(['WarningsAndErrors', 'Errors']).default('WarningsAndErrors'),
  show: z
    .strictObject({
      findings: z.boolean().default(true),
      /** What the fix steps changed, in sentences. */
      fixes: z.boolean().default(true),
      /** The file as it came, beside the one to be printed. */
      original: z.boolean().default(true),
      /** Where the file has imposed sheets: the pages that lie on them, beside the sheets. */
      pages: z.boolean().default(true),
      boxes: z.boolean().default(true),
      /** Points inside the trim, among the boxes: what lies further out may be cut off. 0 = it is not offered. */
      safetyMargin: z
        .number()
        .min(0)
        .max(72)
        .default((3 * 72) / 25.4)
        .meta({ unit: 'length', appliesWhen: { boxes: true } }),
      /** How many pages there are, how large they are when trimmed, and how much bleed they have. */
      size: z.boolean().default(true),
      separations: z.boolean().default(false),
      /** Percent of total ink with which the map of ink coverage begins. */
      inkLimit: z
        .int()
        .min(50)
        .max(400)
        .default(300)
        .meta({ unit: 'percent', appliesWhen: { separations: true } }),
    })
    .prefault({}),
  /** Lines about the job beside the pages, such as its quantity; those whose value turns out to be empty are left out. */
  details: z
    .array(
      z.strictObject({
        label: wordsSchema(60),
        value: z.string().trim().min(1).max(200).meta({ placeholders: 'session' }),
      }),
    )
    .max(12)
    .default([])
    .meta({ isOrdered: true }),
  allowDownload: z.enum(downloadKinds).default('none'),
  /** Pixels per inch of the pages in a copy of low resolution; large pages get fewer. */
  downloadDpi: z
    .int()
    .min(72)
    .max(300)
    .default(150)
    .meta({ unit: 'dpi', appliesWhen: { allowDownload: 'lowResolution' } }),
  /** A line that is drawn into every page of that copy; empty = none. */
  watermark: z
    .string()
    .trim()
    .max(200)
    .default('')
    .meta({ placeholders: 'proof', appliesWhen: { allowDownload: 'lowResolution' } }),

  approvers: z.array(proofApproverSchema).max(20).default([]).meta({ isOrdered: true }),
  mode: z.enum(proofModes).default('Any'),
  /** With `Quorum`: how many must approve. */
  quorum: z.int().min(1).max(20).default(2),
  /** Language of people without an account; null = the house's. */
  locale: localeSchema.nullable().default(null),

  isReasonRequired: z.boolean().default(true),
  /** Reasons to choose from when declining; others are written as a comment. */
  reasons: z.array(z.string().trim().min(1).max(200)).max(20).default([]),
  /** `page`: each page is approved or declined; one declined page declines the file. */
  pageLevel: z.enum(pageLevels).default('file'),
  commentMinLength: z.int().min(0).max(1000).default(0),
  isNameRequired: z.boolean().default(true),
  isEmailRequired: z.boolean().default(false),
  isTitleRequired: z.boolean().default(false),
  /** Whoever approves types the name a second time, as a signature. */
  isSignatureRequired: z.boolean().default(false),
  /** What the two answers are called on the page, by language; without words they are called as everywhere. */
  labels: z.strictObject({ Approved: wordsSchema(40).default({}), Declined: wordsSchema(40).default({}) }).prefault({}),
  /** Statements that whoever approves must tick, by language. */
  checkboxes: z
    .array(z.strictObject({ id: z.string().min(1).max(60).meta({ editor: 'key' }), text: wordsSchema(500) }))
    .max(10)
    .default([]),
  /** Shown above the decision, by language; its words are part of the record. */
  legalText: wordsSchema(5000).default({}),

  /** Hours until `onDeadline` happens; null = no deadline. */
  deadlineHours: z.number().min(0.01).max(longestHours).nullable().default(null),
  onDeadline: z.enum(deadlineActions).default('Remind'),
  /** Who is asked with `Escalate`; the links of those who were silent are withdrawn. */
  escalateTo: z
    .array(proofDeputySchema)
    .max(5)
    .default([])
    .meta({ appliesWhen: { onDeadline: 'Escalate' } }),
  reminder: z
    .strictObject({
      /** Hours until the first reminder; 0 = none is sent. */
      firstAfterHours: z.number().min(0).max(longestHours).default(48),
      everyHours: z.number().min(0.01).max(longestHours).default(24),
      max: z.int().min(1).max(20).default(5),
      /** Whoever has looked at the proof is not reminded. */
      stopsOnView: z.boolean().default(false),
      /** Who is told of each reminder, without the link. */
      cc: z.array(proofDeputySchema).max(5).default([]),
      /** In the house's time zone: a reminder that is due at another time waits for these hours. */
      hours: z
        .strictObject({
          isOn: z.boolean().default(false),
          from: clock('08:00'),
          until: clock('18:00'),
          hasWeekends: z
            .boolean()
            .default(false)
            .meta({ appliesWhen: { isOn: true } }),
        })
        .prefault({}),
    })
    .prefault({}),
  onDecline: z.enum(declineActions).default('Outcome'),
  /** Whether recipients may send a corrected file, which runs the workflow again and comes back as the next version. */
  allowReplaceFile: z.boolean().default(true),
  /** Whether recipients may write notes on the pages. */
  allowNotes: z.boolean().default(true),
  /** Whether they may mark places for them; else notes are about a page. */
  allowMarks: z
    .boolean()
    .default(true)
    .meta({ appliesWhen: { allowNotes: true } }),

  linkProtection: z.enum(linkProtections).default('none'),
  /**
   * After the reader's answer, or the end of the proof, the link shows nothing but what was decided, unless a corrected file is
   * asked for.
   */
  isSingleUse: z.boolean().default(false),
  /** Days that a link works. */
  linkDays: z.number().min(0.01).max(3650).default(60),
  /** Days that the proof stays readable by its link after the decision. */
  decidedDays: z.number().min(0).max(3650).default(30),
});
export type ProofProfile = z.output<typeof proofProfileSchema>;

/**
 * What a decision is called by the profile in a language; null = as everywhere. A proof that was opened before there were such
 * words has none.
 */
export const decisionLabel = (
  { labels }: { labels?: ProofProfile['labels'] },
  decision: keyof ProofProfile['labels'],
  locale: Locale,
): string | null => profileWords(labels?.[decision] ?? {}, locale) || null;

/** The lines about the job in a language. A proof that was opened before there were such lines has none. */
export const detailsOf = (
  { details }: { details?: ProofProfile['details'] },
  locale: Locale,
): { label: string; value: string }[] =>
  (details ?? []).map(({ label, value }) => ({ label: profileWords(label, locale), value }));

const written = (name: string): string => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Whether somebody typed this name as the signature; capitals and white space make no difference. */
export const isSignatureOf = (signature: string, name: string): boolean =>
  written(signature) !== '' && written(signature) === written(name);
