import type { ImposeLayout, Plan, PlanProblem } from '@pdf2press/contract';
import {
  bindSettings,
  expressionSchema,
  hasSetting,
  onlyWhen,
  parseOnce,
  type Variables,
  word,
} from '@pdf2press/settings';
import { z } from 'zod';
import type { LayoutInput } from '../layouts/layout.ts';
import { layouts } from '../layouts/layouts.ts';
import { beyondDocument } from '../layouts/page-list.ts';
import { fault, LayoutFault, type PlanResult } from '../sheet/problems.ts';
import { readAliases } from './aliases.ts';
import { settingFault, unknownSettings } from './setting-faults.ts';

const image = { kind: 'Image' };
const outputSchema = z
  .object({
    kind: word(['PDF', 'Image']).default('PDF'),
    dpi: onlyWhen(image, z.coerce.number().min(10).max(2400).default(300)),
    format: onlyWhen(image, word(['PNG', 'JPEG', 'TIFF'], { jpg: 'JPEG', tif: 'TIFF' }).default('PNG')),
    jpegQuality: onlyWhen({ ...image, format: 'JPEG' }, z.coerce.number().int().min(1).max(100).default(90)),
    /** RGB as on screen, or CMYK separations with the ICC profile of the press. */
    colorSpace: onlyWhen(image, word(['RGB', 'CMYK']).default('RGB')),
  })
  .superRefine(({ kind, format, colorSpace }, context) => {
    if (kind !== 'Image' || format !== 'PNG' || colorSpace !== 'CMYK') return;
    // PNG has no CMYK colour type (ISO/IEC 15948, 11.2.2).
    const params = { code: 'impose.settingInvalid', allowed: 'JPEG, TIFF' };
    context.addIssue({ code: 'custom', path: ['format'], params });
  })
  .prefault({});

/** Settings of every profile. */
const profileParts = {
  settingsVersion: z.literal(1).default(1),
  output: outputSchema,
  /** Path of a setting → expression over workflow variables. The stored value is kept where it cannot be computed. */
  variables: z.record(z.string().max(200), expressionSchema).default({}),
};

type Layouts = typeof layouts;
type ProfileSchema<K extends ImposeLayout> =
  Layouts[K]['settings'] extends z.ZodObject<infer Shape>
    ? z.ZodObject<{ type: z.ZodLiteral<K> } & Shape & typeof profileParts>
    : never;
const profileSchemas = Object.entries(layouts).map(([type, { settings }]) =>
  z.object({ type: z.literal(type), ...settings.shape, ...profileParts }),
);

/** Schema of the profiles of one layout. */
export const profileSchemaOf = (layout: ImposeLayout): z.ZodType =>
  profileSchemas.find(({ shape }) => shape.type.value === layout) as z.ZodType;

/**
 * Schema of an impose profile: the settings of one layout, by its `type`. Lengths are parsed to points. The type of the
 * union is stated because the schemas are built from the table of layouts, where TypeScript loses their types.
 */
export const imposeProfileSchema = z.discriminatedUnion(
  'type',
  profileSchemas as unknown as [{ [K in ImposeLayout]: ProfileSchema<K> }[ImposeLayout]],
);
export type ImposeProfile = z.output<typeof imposeProfileSchema>;
/** A profile as stored: lengths as the operator typed them. */
export type ImposeProfileInput = z.input<typeof imposeProfileSchema>;

/** `imposeProfileSchema` that also accepts other names of settings (see aliases.ts). */
export const givenImposeProfileSchema = z.preprocess(readAliases, imposeProfileSchema);

type ReadProfile = { ok: true; profile: ImposeProfile } | { ok: false; problems: PlanProblem[] };

/**
 * Parses an impose profile as stored or typed, and sets the settings that it binds to workflow variables; lengths become
 * points. Problems name the setting by its dotted path, with impose.settingInvalid, impose.lengthInvalid,
 * impose.sheetUnknown, impose.settingUnknown, expression.invalid or a placeholder code. Unknown settings are refused,
 * because a misspelt one would silently have its default value.
 */
export function readImposeProfile(stored: unknown, variables: Variables = {}): ReadProfile {
  const given = readAliases(stored);
  const parsed = imposeProfileSchema.safeParse(given, parseOnce);
  if (!parsed.success) return { ok: false, problems: parsed.error.issues.map((issue) => settingFault(issue, given)) };
  const profile = parsed.data;
  const schema = layouts[profile.type].settings;
  const unknown = [
    ...unknownSettings(given, profile),
    ...Object.keys(profile.variables).flatMap((path) => (hasSetting(schema, path) ? [] : [`variables.${path}`])),
  ];
  if (unknown.length > 0) return { ok: false, problems: unknown.map((field) => fault('impose.settingUnknown', field)) };
  return Object.keys(profile.variables).length === 0 ? { ok: true, profile } : withVariables(profile, variables);
}

/** Sets bound settings. Numbers without a unit are millimetres, because a profile has no unit of its own. */
function withVariables(profile: ImposeProfile, variables: Variables): ReadProfile {
  const settings = bindSettings({
    settings: profile,
    bindings: profile.variables,
    schema: layouts[profile.type].settings,
    variables,
    unit: 'Millimeters',
  });
  const read = imposeProfileSchema.safeParse(settings, parseOnce);
  return read.success
    ? { ok: true, profile: read.data }
    : { ok: false, problems: read.error.issues.map((issue) => settingFault(issue, settings)) };
}

/**
 * The plan for pages and a profile; lengths are points. A pure function that preview, validation and imposition share.
 * Problems of a layout are returned, with the codes of its LayoutFault.
 */
export function planOf(input: LayoutInput, profile: ImposeProfile): PlanResult {
  try {
    // The settings were parsed with the schema of the same layout, which TypeScript cannot relate here.
    const plan = layouts[profile.type].plan as (input: LayoutInput, settings: ImposeProfile) => Plan;
    const made = plan(input, profile);
    const beyond = beyondDocument(profile.pages, input.pages.length);
    return { ok: true, plan: beyond.length === 0 ? made : { ...made, warnings: [...beyond, ...made.warnings] } };
  } catch (error) {
    if (error instanceof LayoutFault) return { ok: false, problems: [error.problem] };
    throw error;
  }
}
