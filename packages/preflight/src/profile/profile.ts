import { localeSchema, pageRangeSchema, severitySchema, unitSchema } from '@pdf2press/contract';
import { isTree } from '@pdf2press/settings';
import { z } from 'zod';
import { type CheckKey, checkContracts, checkKeys, type RuleOf, type SettingsOf } from '../checks/contracts.ts';
import {
  objectFilters,
  profileFrameSchema,
  type RuleSeverityOverride,
  ruleSeveritySchema,
} from '../reading/profile-frame.ts';
import { respellCheck, respellTarget } from './respell.ts';

const textsSchema = z.partialRecord(localeSchema, z.string().max(2000));

/** Fields that every check has. */
const commonShape = {
  enabled: z.boolean().default(true),
  /** Severity of every rule that has one limit and is not off; rules with a warning and an error limit are not changed. */
  severity: severitySchema.nullable().default(null),
  /** Null: the page range of the profile. */
  pages: pageRangeSchema.nullable().default(null),
  /** Null: all kinds of object. */
  objects: z.array(z.enum(objectFilters)).nullable().default(null),
  message: textsSchema.default({}),
  operatorMessage: textsSchema.default({}),
  /** Further findings are counted without detail. */
  maxFindings: z.number().int().min(1).max(10_000).default(200),
  /** Severity of the finding for a check that failed or timed out. */
  onCannotEvaluate: severitySchema.default('Fail'),
  /** Rule of a standard by rule of the check, for its findings: `{ low: 'GWG2022:R0031' }`. */
  standardRules: z.record(z.string(), z.string().max(100)).default({}),
};

export type ProfileCheckOf<K extends CheckKey> = {
  readonly key: K;
  readonly version: number;
  readonly settings: SettingsOf<K>;
  readonly severities: Partial<Record<RuleOf<K>, RuleSeverityOverride>>;
} & Readonly<z.output<z.ZodObject<typeof commonShape>>>;
export type ProfileCheck = { [K in CheckKey]: ProfileCheckOf<K> }[CheckKey];

const checkSchemas = checkKeys.map((key) => {
  const contract = checkContracts[key];
  const severities = Object.fromEntries(
    Object.keys(contract.rules).map((rule) => [rule, ruleSeveritySchema.optional()]),
  );
  return z.strictObject({
    key: z.literal(key),
    version: z.literal(contract.version).default(contract.version),
    settings: (contract.settings as z.ZodObject).prefault({}),
    severities: z.strictObject(severities).default({}),
    ...commonShape,
  });
});

/** The casts are needed because the union is built from the table of contracts, of which TypeScript infers no tuple. */
const profileCheckSchema = z.discriminatedUnion(
  'key',
  checkSchemas as unknown as [(typeof checkSchemas)[number]],
) as unknown as z.ZodType<ProfileCheck>;
const profileShape = profileFrameSchema.extend({ checks: z.array(profileCheckSchema).max(200).default([]) });

const commonFields: ReadonlySet<string> = new Set(['version', 'settings', 'severities', ...Object.keys(commonShape)]);

/** Replaces names of older versions and short forms before the profile is validated. */
function respellProfile(raw: unknown): unknown {
  if (!isTree(raw)) return raw;
  const unit = unitSchema.safeParse(raw.unit).data ?? 'Millimeters';
  const { checks, variables } = raw;
  return {
    ...raw,
    ...(Array.isArray(checks) && { checks: checks.map((check) => respellCheck(check, commonFields, unit)) }),
    ...(isTree(variables) && {
      variables: Object.fromEntries(Object.entries(variables).map(([to, value]) => [respellTarget(to), value])),
    }),
  };
}

/**
 * A preflight profile as stored, exported and given on the command line. A length is a number of points, or a text with a
 * unit (`3mm`); a text without one is in the unit of the profile.
 */
export const preflightProfileSchema = z.preprocess(respellProfile, profileShape);
export type PreflightProfile = z.output<typeof preflightProfileSchema>;
export type PreflightProfileInput = z.input<typeof profileShape>;

/** The severity of a rule after the overrides of the profile. `Measured`: the check decides by its two limits. */
export function severityOf(check: ProfileCheck, rule: string) {
  const overrides = check.severities as Record<string, RuleSeverityOverride | undefined>;
  const initial = (checkContracts[check.key].rules as Record<string, string>)[rule];
  return overrides[rule] ?? (check.severity && initial !== 'Measured' && initial !== 'Off' ? check.severity : initial);
}
