import { z } from 'zod';
import { isBucketName, isRegionName } from './bucket-names.ts';
import { approvalPolicySchema } from './enumerations.ts';
import { unitSchema } from './unit-schema.ts';

/** Whether a text is a time zone by its IANA name, such as `Europe/Berlin`; an offset such as `+02:00` is none. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** The cultures a subscriber may choose: the formats of numbers and dates, and the first day of the week. */
export const cultures = [
  'en-US',
  'en-GB',
  'zh-CN',
  'fr-FR',
  'fr-CA',
  'es-ES',
  'es-MX',
  'pt-BR',
  'pt-PT',
  'it-IT',
  'de-DE',
] as const;
const knownCultures: ReadonlySet<string> = new Set(cultures);

/** System settings with their defaults. Secrets are write-only. */
export const passwordSettingsSchema = z.object({
  useDefaultSettings: z.boolean().default(true),
  requireDigit: z.boolean().default(true),
  requireLowercase: z.boolean().default(true),
  requireNonAlphanumeric: z.boolean().default(true),
  requireUppercase: z.boolean().default(true),
  requiredLength: z.number().int().min(6).max(128).default(6),
});
export type PasswordSettings = z.infer<typeof passwordSettingsSchema>;

export const smtpSettingsSchema = z.object({
  host: z.string().max(253).default(''),
  port: z.number().int().min(0).max(65535).default(0),
  username: z.string().max(320).default(''),
  /** Null when none is stored; in responses `••••` means that one is stored, and sending it back unchanged keeps it. */
  password: z.string().max(1000).nullable().default(null),
  senderEmail: z.union([z.literal(''), z.email()]).default(''),
  enableSsl: z.boolean().default(true),
});

export const archivingConfigSchema = z.object({
  accessKey: z.string().max(200).default(''),
  bucketName: z.string().max(200).default(''),
  region: z.string().max(100).default(''),
  secretKey: z.string().max(1000).nullable().default(null),
});

/** Characters of the house’s logo as a data address: 300 KB of picture. */
const longestLogo = 410_000;

export const noticeHookSchema = z.object({
  /** Empty: notifications go nowhere else. */
  url: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(2000)]).default(''),
  /** Signs each call; null when none is stored. */
  secret: z.string().max(1000).nullable().default(null),
  /** Kinds that are not sent there. */
  muted: z.array(z.string().max(100)).max(200).default([]),
});

/** A domain of e-mail addresses, in lower case. */
const domainSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/);

/** Where the people of a company sign in (OpenID Connect). */
export const singleSignOnSchema = z.object({
  isOn: z.boolean().default(false),
  /** The address of the service, as it names itself: what `/.well-known/openid-configuration` is put behind. */
  issuer: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)]).default(''),
  clientId: z.string().trim().max(300).default(''),
  /** Null when none is stored: a public client. */
  clientSecret: z.string().max(2000).nullable().default(null),
  /** What the button says; empty: the words of the web app. */
  label: z.string().trim().max(60).default(''),
  /** What somebody who signs in for the first time becomes; empty: only who has an account signs in. */
  defaultRoleId: z.string().max(60).default(''),
  /** Only people with an address of one of these domains sign in. */
  allowedDomains: z.array(domainSchema).max(50).default([]),
  /** Whether an account of the same address becomes that of the person, where the service has verified the address. */
  linksAccounts: z.boolean().default(false),
});
/** What it takes to be switched on. */
const neededForSignOn = ['issuer', 'clientId', 'allowedDomains'] as const;

const primarySchema = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/)
  .default('#0d9494');
/** How the web app looks to people who choose nothing else in their browser. */
export const appearanceSchema = z.object({
  theme: z.enum(['light', 'dark', 'system']).default('light'),
  layout: z.enum(['vertical', 'horizontal']).default('vertical'),
  contentWidth: z.enum(['boxed', 'fluid']).default('boxed'),
  skin: z.enum(['default', 'bordered']).default('default'),
  /** The primary colour in each theme; text in it is darkened or lightened until it can be read. */
  primaryLight: primarySchema,
  primaryDark: primarySchema,
});
export type Appearance = z.infer<typeof appearanceSchema>;

/** The parts that one company can set for all. What it is called, what its work costs and what it connects with stay its own. */
export const sharedSettingsSchema = z.object({
  passwordSettings: passwordSettingsSchema.prefault({}),
  proofApprovalSettings: z
    .object({ defaultApprovalMode: approvalPolicySchema.default('ConfirmIfWarnOrError') })
    .prefault({}),
  measurementSettings: z.object({ defaultUnit: unitSchema.default('Millimeters') }).prefault({}),
  userSettings: z
    .object({
      enableUserLockout: z.boolean().default(true),
      maxFailedLoginAttempts: z.number().int().min(1).max(100).default(5),
      accountLockoutDurationInSeconds: z.number().int().min(1).max(86_400).default(300),
      sendActivationEmail: z.boolean().default(true),
    })
    .prefault({}),
  culture: z
    .string()
    .max(20)
    .default('en-US')
    .describe('One of those that `/systemSettings/cultures` lists; an older value is still read'),
  /** IANA name; empty: the time zone of the installation, which is that of the server (`TZ`). */
  timeZone: z
    .string()
    .max(60)
    .refine((text) => text === '' || isTimeZone(text), { params: { code: 'value.invalid' } })
    .default(''),
  showVersionNumber: z.boolean().default(true),
  appearanceSettings: appearanceSchema.prefault({}),
});
export type SharedSettings = z.infer<typeof sharedSettingsSchema>;

export const systemSettingsSchema = z.object({
  id: z.string(),
  subscriberId: z.string(),
  /** Whether the shared parts hold for companies that have no value of their own. */
  isGlobal: z.boolean().default(false),
  /** The shared parts of the company whose settings are global; null: none is, or it is this one. Not saved. */
  installation: sharedSettingsSchema.nullable().default(null),
  ...sharedSettingsSchema.shape,
  smtpSettings: smtpSettingsSchema.prefault({}),
  roiSettings: z
    .object({
      averagePrepressTime: z.number().min(0).max(100_000).default(0),
      laborCostPerHour: z.number().min(0).max(100_000).default(0),
    })
    .prefault({}),
  /** What the prepress work on one file costs; 0: as time and cost per hour make it (`prepressCostOf`). */
  estimatedPrepressLaborCost: z.number().min(0).max(100_000).default(0),
  archivingSettings: z
    .object({
      config: archivingConfigSchema.prefault({}),
      enabled: z.boolean().default(false),
      enableNotification: z.boolean().default(false),
      emailRecipient: z.union([z.literal(''), z.email()]).default(''),
    })
    .prefault({}),
  /** The communication profile whose words mails about accounts have; empty: the product's own. */
  mailSettings: z.object({ accountProfileId: z.string().max(60).default('') }).prefault({}),
  /** Where feedback of the people who work here goes; empty: nowhere. */
  feedbackSettings: z.object({ email: z.union([z.literal(''), z.email()]).default('') }).prefault({}),
  /** Where notifications go besides the bell. */
  noticeSettings: z.object({ hook: noticeHookSchema.prefault({}) }).prefault({}),
  /** Where people sign in other than with a password. */
  singleSignOnSettings: singleSignOnSchema
    .superRefine((given, context) => {
      if (!given.isOn) return;
      for (const key of neededForSignOn)
        if (given[key].length === 0)
          context.addIssue({ code: 'custom', path: [key], params: { code: 'value.required' } });
    })
    .prefault({}),
  /** How the house shows itself on paper: reports and certificates. */
  houseSettings: z
    .object({
      /** Empty: as the installation is called. */
      name: z.string().trim().max(100).default(''),
      color: z.union([z.literal(''), z.string().regex(/^#[0-9a-fA-F]{6}$/)]).default(''),
      /** A PNG or JPEG as a data address; empty: the name in letters. */
      logo: z
        .union([z.literal(''), z.string().regex(/^data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$/)])
        .refine((text) => text.length <= longestLogo, { params: { code: 'value.invalid' } })
        .default(''),
    })
    .prefault({}),
});
export type SystemSettings = z.infer<typeof systemSettingsSchema>;

/** What the prepress work on one file costs: as it is set, else `averagePrepressTime / 60 × laborCostPerHour`. */
export const prepressCostOf = ({
  roiSettings: { averagePrepressTime, laborCostPerHour },
  estimatedPrepressLaborCost,
}: Pick<SystemSettings, 'roiSettings' | 'estimatedPrepressLaborCost'>): number =>
  estimatedPrepressLaborCost || (averagePrepressTime / 60) * laborCostPerHour;

const archiveNames = [
  ['bucketName', isBucketName, 'value.bucketName'],
  ['region', isRegionName, 'value.regionName'],
] as const;

/** Settings as they are saved: what was stored before cultures and names of buckets were looked at is still read. */
export const savedSystemSettingsSchema = systemSettingsSchema.superRefine(
  ({ culture, archivingSettings: { config } }, context) => {
    if (!knownCultures.has(culture))
      context.addIssue({ code: 'custom', path: ['culture'], params: { code: 'value.invalid' } });
    for (const [name, isName, code] of archiveNames)
      if (config[name] !== '' && !isName(config[name]))
        context.addIssue({ code: 'custom', path: ['archivingSettings', 'config', name], params: { code } });
  },
);
/** The value in responses for a stored secret, which is never returned. */
export const storedSecretMark = '••••';

const rules = [
  ['requireDigit', /\p{Nd}/u, 'password.digit'],
  ['requireLowercase', /\p{Ll}/u, 'password.lowercase'],
  ['requireUppercase', /\p{Lu}/u, 'password.uppercase'],
  ['requireNonAlphanumeric', /[^\p{L}\p{N}]/u, 'password.nonAlphanumeric'],
] as const;

/** What a password lacks under a policy; empty when it is allowed. The form uses the same list while the user types. */
export function passwordFaults(
  password: string,
  settings: PasswordSettings,
): {
  code: 'password.tooShort' | 'password.tooLong' | (typeof rules)[number][2];
  params?: { min?: number; max?: number };
}[] {
  const policy = settings.useDefaultSettings ? passwordSettingsSchema.parse({}) : settings;
  return [
    ...(password.length < policy.requiredLength
      ? [{ code: 'password.tooShort' as const, params: { min: policy.requiredLength } }]
      : []),
    ...(password.length > 128 ? [{ code: 'password.tooLong' as const, params: { max: 128 } }] : []),
    ...rules.filter(([key, pattern]) => policy[key] && !pattern.test(password)).map(([, , code]) => ({ code })),
  ];
}
