import { FileFaultError, pageRangeSchema, unitSchema } from '@pdf2press/contract';
import { z } from 'zod';
import { type CheckKey, checkKeys } from '../checks/keys.ts';
import { type FixKey, type FixSettingsOf, fixContracts, fixKeys } from '../fixes/contracts.ts';
import { evaluate, isExpression, measureOf, type Variables } from '../preflight/expression.ts';
import { unitOfSetting } from '../preflight/setting-unit.ts';
import { isCondition } from './condition.ts';
import { readSettings } from './read-settings.ts';
import { respell } from './respell.ts';
import { settingFault } from './setting-fault.ts';

export const fixObjectFilters = ['text', 'vector', 'image', 'shading', 'annotation'] as const;
export type FixObjectFilter = (typeof fixObjectFilters)[number];

/** What is missing is told as missing alone. */
const isGiven = ({ value }: { value: unknown }): boolean => String(value).trim() !== '';

export const whenSchema = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('Always') }),
  /** Null: any of the checks that are paired with the action. */
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

/** Fields every action shares (fix specification §1.1). */
const commonShape = {
  enabled: z.boolean().default(true),
  pages: pageRangeSchema.default('all'),
  /** Null: every kind of object the action knows. */
  objects: z.array(z.enum(fixObjectFilters)).nullable().default(null),
  /** Null: when a paired check found something, or always where none is paired. */
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

/** Settings of an older version become those of today before they are validated. */
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

/** One action of a profile. The union is made from the table of contracts, so its type is stated, not inferred. */
export const profileActionSchema = z.preprocess(
  upgradeAction,
  z.discriminatedUnion('key', actionSchemas as unknown as [(typeof actionSchemas)[number]]),
) as unknown as z.ZodType<ProfileAction>;

/** The unit of the setting that a binding fills: `AddBleeds.amount.left`; undefined where there is no such setting. */
function unitOf(target: string): string | null | undefined {
  const [key = '', ...path] = target.split('.');
  return Object.hasOwn(fixContracts, key) ? unitOfSetting(fixContracts[key as FixKey].settings, path) : undefined;
}

const expressionSchema = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine(isExpression, { params: { code: 'expression.invalid' }, when: isGiven });

/** A fix profile as stored, exported and given on the command line. Lengths are in points whatever `unit` shows. */
export const fixProfileSchema = z.strictObject({
  name: z.string().max(200).default(''),
  description: z.string().max(2000).default(''),
  unit: unitSchema.default('Millimeters'),
  /** Engine: the order of the specification, whatever the list's. */
  order: z.enum(['Engine', 'AsListed']).default('Engine'),
  /** `action.path` → expression over workflow variables; the stored value holds where it cannot be computed. */
  variables: z
    .record(
      z.string().refine((target) => unitOf(target) !== undefined, { params: { code: 'value.invalid' } }),
      expressionSchema,
    )
    .default({}),
  /** What happens to a signed file: its signatures end with any change. */
  signatures: z.enum(['StripAndWarn', 'Refuse']).default('StripAndWarn'),
  gate: z.strictObject({ method: z.enum(['Auto', 'RGB', 'Plates']).default('Auto') }).prefault({}),
  actions: z.array(profileActionSchema).max(100).default([]),
});
export type FixProfile = z.output<typeof fixProfileSchema>;
export type FixProfileInput = z.input<typeof fixProfileSchema>;

/** A profile as people write it: lengths as texts with units, options in their own spelling. */
export const givenFixProfileSchema = z.preprocess((raw) => withValues(raw), fixProfileSchema);

/** Reads a profile from JSON of any origin. @throws FileFaultError SETTINGS_INVALID naming the first wrong field. */
export function readFixProfile(raw: unknown): FixProfile {
  const values = withValues(raw);
  const read = fixProfileSchema.safeParse(values);
  if (read.success) return read.data;
  throw new FileFaultError('SETTINGS_INVALID', settingFault(read.error.issues[0], values));
}

/** Texts with units become numbers; `action` is understood as the key. */
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

/** A condition in one word: `Always`, `OnlyIfCheckHit`, `OnlyIfCheckHit(Bleed)`; any other text is an expression. */
function conditionOf(text: string): z.input<typeof whenSchema> {
  if (text === 'Always') return { is: 'Always' };
  const check = /^OnlyIfCheckHit(?:\((\w*)\))?$/.exec(text);
  // Whether it is one, the schema judges.
  if (check) return { is: 'OnlyIfCheckHit', check: (check[1] || null) as CheckKey | null };
  return { is: 'Expression', expression: /^Expression\((.*)\)$/.exec(text)?.[1] ?? text };
}

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Puts the values of workflow variables where the profile binds them; what cannot be computed leaves the stored value. */
export function bindFixVariables(profile: FixProfile, variables: Variables): FixProfile {
  const bindings = Object.entries(profile.variables);
  if (bindings.length === 0) return profile;
  const copy: FixProfile = structuredClone(profile);
  for (const [target, expression] of bindings) {
    const [key = '', ...path] = target.split('.');
    const unit = unitOf(target);
    const value = evaluate(expression, variables, measureOf(unit ?? null, profile.unit));
    if (value === undefined) continue;
    for (const action of copy.actions) {
      if (action.key !== key) continue;
      const parent = path
        .slice(0, -1)
        .reduce<unknown>((node, step) => (isTree(node) ? node[step] : undefined), action.settings);
      if (isTree(parent)) parent[path.at(-1) ?? ''] = value;
    }
  }
  return readFixProfile(copy);
}
