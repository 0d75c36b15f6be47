import { FileFaultError, pageRangeSchema, unitSchema } from '@pdf2press/contract';
import { type CheckKey, checkKeys } from '@pdf2press/preflight/contracts';
import {
  bindParts,
  expressionSchema,
  hasSetting,
  parseOnce,
  readSettings,
  respell,
  type Variables,
} from '@pdf2press/settings';
import { z } from 'zod';
import { type FixKey, type FixSettingsOf, fixContracts, fixKeys } from '../fixes/contracts.ts';
import { fixObjectFilters } from '../kind/define-fix.ts';
import { isCondition } from './condition.ts';
import { settingFault } from './setting-fault.ts';

/** A missing value is reported as missing, not also as invalid. */
const isGiven = ({ value }: { value: unknown }): boolean => String(value).trim() !== '';

export const whenSchema = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('Always') }),
  /** Null: any check paired with the action. */
  z.strictObject({ is: z.literal('OnlyIfCheckHit'), check: z.enum(checkKeys).nullable().default(null) }),
  z.strictObject({
    is: z.literal('Expression'),
    expression: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .refine(isCondition, { params: { code: 'condition.invalid' }, when: isGiven }),
  }),
]);
export type FixWhen = z.output<typeof whenSchema>;

/** Fields of every action. */
const commonShape = {
  enabled: z.boolean().default(true),
  pages: pageRangeSchema.default('all'),
  /** Null: all kinds of objects. */
  objects: z.array(z.enum(fixObjectFilters)).nullable().default(null),
  /** Null: when a paired check has a finding; always for an action without paired checks. */
  when: whenSchema.nullable().default(null),
  onError: z.enum(['FailStep', 'WarnAndKeepOriginal']).default('FailStep'),
};

export type ProfileActionOf<K extends FixKey> = {
  readonly key: K;
  readonly version: number;
  readonly settings: FixSettingsOf<K>;
} & Readonly<z.output<z.ZodObject<typeof commonShape>>>;
export type ProfileAction = { [K in FixKey]: ProfileActionOf<K> }[FixKey];

const actionSchemas = fixKeys.map((key) => {
  const contract = fixContracts[key];
  return z.strictObject({
    key: z.literal(key),
    version: z.literal(contract.version).default(contract.version),
    settings: (contract.settings as z.ZodType).prefault({}),
    ...commonShape,
  });
});

/** Upgrades settings of older versions before they are validated. */
function upgradeAction(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || !('key' in raw) || !Object.hasOwn(fixContracts, String(raw.key)))
    return raw;
  const contract = fixContracts[raw.key as FixKey];
  const stored = raw as { version?: unknown; settings?: Record<string, unknown> };
  if (typeof stored.version !== 'number' || stored.version >= contract.version) return raw;
  let settings = stored.settings ?? {};
  for (let version = stored.version; version < contract.version; version += 1) {
    settings = contract.upgrades[version]?.(settings) ?? settings;
  }
  return { ...raw, version: contract.version, settings };
}

/** One action of a profile. Zod cannot infer the union from the table of contracts, so its type is stated. */
export const profileActionSchema = z.preprocess(
  upgradeAction,
  z.discriminatedUnion('key', actionSchemas as unknown as [(typeof actionSchemas)[number]]),
) as unknown as z.ZodType<ProfileAction>;

/** Whether there is a setting of this name, for example `AddBleeds.amount.left`. */
function isTarget(target: string): boolean {
  const [key = '', ...path] = target.split('.');
  return Object.hasOwn(fixContracts, key) && hasSetting(fixContracts[key as FixKey].settings, path.join('.'));
}

/** A fix profile as stored. Lengths are in points whatever `unit` is; `unit` is the unit shown to people. */
export const fixProfileSchema = z.strictObject({
  name: z.string().max(200).default(''),
  description: z.string().max(2000).default(''),
  unit: unitSchema.default('Millimeters'),
  /** Engine: the positions of the contracts decide; AsListed: the order of the list. */
  order: z.enum(['Engine', 'AsListed']).default('Engine'),
  /** `action.path` → expression over workflow variables. If it cannot be evaluated, the stored value is used. */
  variables: z.record(z.string().refine(isTarget, { params: { code: 'value.invalid' } }), expressionSchema).default({}),
  /** What to do with signed files, whose signatures any change makes invalid. */
  signatures: z.enum(['StripAndWarn', 'Refuse']).default('StripAndWarn'),
  gate: z.strictObject({ method: z.enum(['Auto', 'RGB', 'Plates']).default('Auto') }).prefault({}),
  actions: z.array(profileActionSchema).max(100).default([]),
});
export type FixProfile = z.output<typeof fixProfileSchema>;
export type FixProfileInput = z.input<typeof fixProfileSchema>;

/** A profile as people write it: lengths with units, alternative names and values accepted. */
export const givenFixProfileSchema = z.preprocess((raw) => withValues(raw), fixProfileSchema);

/**
 * Reads a profile from JSON as people or programs write it.
 * @throws FileFaultError SETTINGS_INVALID with the first wrong field
 */
export function readFixProfile(raw: unknown): FixProfile {
  const values = withValues(raw);
  const read = fixProfileSchema.safeParse(values, parseOnce);
  if (read.success) return read.data;
  throw new FileFaultError('SETTINGS_INVALID', settingFault(read.error.issues[0], values));
}

/** Converts lengths with units to points and accepts `action` in place of `key`. */
function withValues(raw: unknown): unknown {
  if (!isTree(raw) || !Array.isArray(raw.actions)) return raw;
  const unit = unitSchema.safeParse(raw.unit).data ?? 'Millimeters';
  const actions = raw.actions.map((entry: unknown) => {
    if (!isTree(entry)) return entry;
    const { action, ...rest } = entry;
    const key = String(rest.key ?? action);
    if (!Object.hasOwn(fixContracts, key)) return entry;
    const { settings, respelling } = fixContracts[key as FixKey];
    return {
      ...rest,
      key,
      ...(typeof rest.when === 'string' && { when: conditionOf(rest.when) }),
      ...(isTree(rest.settings) && {
        settings: readSettings(settings, respell(rest.settings, respelling), unit),
      }),
    };
  });
  return { ...raw, actions };
}

/** A condition written as text: `Always`, `OnlyIfCheckHit`, `OnlyIfCheckHit(Bleed)`, or an expression. */
function conditionOf(text: string): z.input<typeof whenSchema> {
  if (text === 'Always') return { is: 'Always' };
  const check = /^OnlyIfCheckHit(?:\((\w*)\))?$/.exec(text);
  // The schema validates the key of the check.
  if (check) return { is: 'OnlyIfCheckHit', check: (check[1] || null) as CheckKey | null };
  return { is: 'Expression', expression: /^Expression\((.*)\)$/.exec(text)?.[1] ?? text };
}

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/**
 * Sets bound settings to the values of their expressions; those that cannot be evaluated keep the stored value.
 * @throws FileFaultError SETTINGS_INVALID for a value that a setting does not accept
 */
export function bindFixVariables(profile: FixProfile, variables: Variables): FixProfile {
  const { variables: bindings, actions, unit } = profile;
  if (Object.keys(bindings).length === 0) return profile;
  const schemaOf = (key: string) => fixContracts[key as FixKey].settings;
  return readFixProfile({ ...profile, actions: bindParts({ parts: actions, bindings, schemaOf, variables, unit }) });
}
