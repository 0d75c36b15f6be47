import { localeSchema, pageRangeSchema, severitySchema, unitSchema } from '@pdf2press/contract';
import { z } from 'zod';
import { type CheckKey, checkContracts, checkKeys, type RuleOf, type SettingsOf } from '../checks/contracts.ts';
import { respellCheck, respellTarget } from './respell.ts';
import { isTree } from './setting-unit.ts';

export const objectFilters = ['text', 'vector', 'image', 'shading', 'annotation'] as const;
export type ObjectFilter = (typeof objectFilters)[number];

const textsSchema = z.partialRecord(localeSchema, z.string().max(2000));

/** Fields every check shares (preflight specification §1.2). */
const commonShape = {
  enabled: z.boolean().default(true),
  /** For every rule with one limit; rules with a warn and a fail limit keep theirs. */
  severity: severitySchema.nullable().default(null),
  /** Null: the profile's pages. */
  pages: pageRangeSchema.nullable().default(null),
  /** Null: every kind of object the check looks at. */
  objects: z.array(z.enum(objectFilters)).nullable().default(null),
  message: textsSchema.default({}),
  operatorMessage: textsSchema.default({}),
  /** Findings beyond it are counted, their detail is dropped. */
  maxFindings: z.number().int().min(1).max(10_000).default(200),
  /** A check that crashed or timed out must never read as passed. */
  onCannotEvaluate: severitySchema.default('Fail'),
  /** Public rule behind a rule of the check, put into its findings: `{ low: 'GWG2022:R0031' }`. */
  standardRules: z.record(z.string(), z.string().max(100)).default({}),
};

export const ruleSeveritySchema = z.enum(['Off', 'Info', 'Warn', 'Fail']);
export type RuleSeverityOverride = z.infer<typeof ruleSeveritySchema>;

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

export const boxPolicySchema = z.strictObject({
  /** What stands for a missing TrimBox: crop marks first where they are found, then these in order. */
  inferFromMarks: z.boolean().default(false),
  trimFallback: z.enum(['Crop', 'Media']).default('Crop'),
  onMissingTrim: ruleSeveritySchema.default('Warn'),
});

/** What holds for all checks of a profile. */
export const profileFrameSchema = z.strictObject({
  name: z.string().max(200).default(''),
  description: z.string().max(2000).default(''),
  basePreset: z.strictObject({ key: z.string(), version: z.number().int() }).nullable().default(null),
  unit: unitSchema.default('Millimeters'),
  boxPolicy: boxPolicySchema.prefault({}),
  pageRange: pageRangeSchema.default('all'),
  considerLayers: z.enum(['DefaultViewState', 'AllOn', 'PrintState']).default('DefaultViewState'),
  /** Large format: the file is 1:n of the print (10 for 1:10), seen from so many metres. */
  scaleFactor: z.number().positive().max(1000).default(1),
  viewingDistanceM: z.number().positive().max(1000).nullable().default(null),
  /** `check.path` → expression over workflow variables; the stored value is what holds where it cannot be computed. */
  variables: z.record(z.string(), z.string().max(500)).default({}),
});

/** The union is made from the table of contracts, so its type is stated, not inferred. */
const profileCheckSchema = z.discriminatedUnion(
  'key',
  checkSchemas as unknown as [(typeof checkSchemas)[number]],
) as unknown as z.ZodType<ProfileCheck>;
const profileShape = profileFrameSchema.extend({ checks: z.array(profileCheckSchema).max(200).default([]) });

const commonFields: ReadonlySet<string> = new Set(['version', 'settings', 'severities', ...Object.keys(commonShape)]);

/** Words of older versions and shorthand of the specification become today's before the profile is validated. */
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
 * A preflight profile as stored, exported and given on the command line. Lengths are in points whatever `unit` shows; as
 * text they carry their unit (`3mm`) or are in the profile's.
 */
export const preflightProfileSchema = z.preprocess(respellProfile, profileShape);
export type PreflightProfile = z.output<typeof preflightProfileSchema>;
export type PreflightProfileInput = z.input<typeof profileShape>;

/** What one rule of a check reports as by default, after the profile's overrides. `Measured` is for the check to decide. */
export function severityOf(check: ProfileCheck, rule: string) {
  const overrides = check.severities as Record<string, RuleSeverityOverride | undefined>;
  const initial = (checkContracts[check.key].rules as Record<string, string>)[rule];
  return overrides[rule] ?? (check.severity && initial !== 'Measured' && initial !== 'Off' ? check.severity : initial);
}
