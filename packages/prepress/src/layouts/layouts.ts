import type { ImposeLayout, Plan, PlanProblem } from '@pdf2press/contract';
import { z } from 'zod';
import { onlyWhen } from '../checks/fields.ts';
import { marks } from '../marks/marks.ts';
import { acrossDown } from './across-down/plan.ts';
import { cutAndStack } from './cut-and-stack/plan.ts';
import { dieCut } from './die-cut/plan.ts';
import { downAcross } from './down-across/plan.ts';
import type { LayoutInput } from './layout.ts';
import { perfectBound } from './perfect-bound/plan.ts';
import { fault, LayoutFault, type PlanResult } from './problems.ts';
import { saddleStitch } from './saddle-stitch/plan.ts';
import { namedSheets } from './settings.ts';
import { readSpecWords } from './spec-words.ts';
import { stepNRepeat } from './step-n-repeat/plan.ts';
import { word } from './word.ts';

/** Every layout there is; adding one is its folder and this line. The key is the layout's name on the wire. */
export const layouts = {
  StepNRepeat: stepNRepeat,
  CutAndStack: cutAndStack,
  SaddleStitch: saddleStitch,
  DieCut: dieCut,
  AcrossDown: acrossDown,
  DownAcross: downAcross,
  PerfectBound: perfectBound,
} satisfies Record<ImposeLayout, { type: ImposeLayout }>;

const image = { kind: 'Image' };
const outputSchema = z
  .object({
    kind: word(['PDF', 'Image']).default('PDF'),
    dpi: onlyWhen(image, z.coerce.number().min(10).max(2400).default(300)),
    format: onlyWhen(image, word(['PNG', 'JPEG', 'TIFF'], { jpg: 'JPEG', tif: 'TIFF' }).default('PNG')),
    jpegQuality: onlyWhen({ ...image, format: 'JPEG' }, z.coerce.number().int().min(1).max(100).default(90)),
    /** RGB as a screen shows the sheet, or CMYK as the press prints it, with the profile of that press. */
    colorSpace: onlyWhen(image, word(['RGB', 'CMYK']).default('RGB')),
  })
  .superRefine(({ kind, format, colorSpace }, context) => {
    if (kind !== 'Image' || format !== 'PNG' || colorSpace !== 'CMYK') return;
    // PNG knows grey and RGB only (ISO/IEC 15948, 11.2.2).
    const params = { code: 'impose.settingInvalid', allowed: 'JPEG, TIFF' };
    context.addIssue({ code: 'custom', path: ['format'], params });
  })
  .prefault({});

/** Beside the layout's settings; an upgrade of a later `settingsVersion` goes here, by layout. */
const profileParts = { settingsVersion: z.literal(1).default(1), output: outputSchema };

/** An impose profile: the layout's own settings under its type. */
export const imposeProfileSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('StepNRepeat'), ...stepNRepeat.settings.shape, ...profileParts }),
  z.object({ type: z.literal('CutAndStack'), ...cutAndStack.settings.shape, ...profileParts }),
  z.object({ type: z.literal('SaddleStitch'), ...saddleStitch.settings.shape, ...profileParts }),
  z.object({ type: z.literal('DieCut'), ...dieCut.settings.shape, ...profileParts }),
  z.object({ type: z.literal('AcrossDown'), ...acrossDown.settings.shape, ...profileParts }),
  z.object({ type: z.literal('DownAcross'), ...downAcross.settings.shape, ...profileParts }),
  z.object({ type: z.literal('PerfectBound'), ...perfectBound.settings.shape, ...profileParts }),
]);
export type ImposeProfile = z.output<typeof imposeProfileSchema>;
/** As stored: lengths as the operator typed them. */
export type ImposeProfileInput = z.input<typeof imposeProfileSchema>;

/** The same for what comes from elsewhere, in the specification's words too. */
export const givenImposeProfileSchema = z.preprocess(readSpecWords, imposeProfileSchema);

/**
 * Reads an impose profile as stored or typed. Problems name the setting; unknown settings are refused, because a
 * misspelt one would silently be its default and waste paper.
 */
export function readImposeProfile(
  stored: unknown,
): { ok: true; profile: ImposeProfile } | { ok: false; problems: PlanProblem[] } {
  const given = readSpecWords(stored);
  const parsed = imposeProfileSchema.safeParse(given);
  if (!parsed.success) {
    return {
      ok: false,
      problems: parsed.error.issues.map((issue) => settingFault(issue, given)),
    };
  }
  const unknown = unknownSettings(given, parsed.data);
  return unknown.length > 0
    ? { ok: false, problems: unknown.map((field) => fault('impose.settingUnknown', field)) }
    : { ok: true, profile: parsed.data };
}

type Issue = z.core.$ZodIssue;

/** A problem that names the setting, what was said and what is possible. */
function settingFault(issue: Issue, stored: unknown): PlanProblem {
  const field = issue.path.filter((part) => typeof part === 'string').join('.') || 'type';
  // Short forms (`margins=5mm`, `gutterH=0,3mm`) have no parts: they are the value of all of them.
  const value = asWord(
    issue.path.reduce<unknown>((at, key) => {
      if (Array.isArray(at)) return at[Number(key)];
      return isRecord(at) ? at[String(key)] : at;
    }, stored),
  );
  if (field === 'sheet' && issue.code === 'invalid_type') {
    return fault('impose.sheetUnknown', 'sheet', { value, allowed: Object.keys(namedSheets).join(', ') });
  }
  const reasons = reasonsOf(issue);
  const length = reasons.find((reason) => reason.code === 'custom');
  if (length?.code === 'custom') {
    const { min, max, allowed } = length.params as { min: number; max: number; allowed?: string };
    if (allowed !== undefined) return fault('impose.settingInvalid', field, { value, allowed });
    return fault('impose.lengthInvalid', field, { value, min, max });
  }
  if (field === 'marks')
    return fault('impose.settingInvalid', field, { value, allowed: Object.keys(marks).join(', ') });
  const allowed = [...new Set(reasons.flatMap(allowedBy))].join(', ');
  return fault('impose.settingInvalid', field, { value, allowed });
}

/** What was typed; of lists and groups nothing, their parts are named. */
const asWord = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).slice(0, 60)
    : '';

/** The reasons of each way in which a value might have been right. A number that is out of bounds was meant as one. */
function reasonsOf(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const inner = issue.errors.flat().flatMap(reasonsOf);
  return inner.some(isBound) ? inner.filter(isBound) : inner;
}

const isBound = ({ code }: Issue): boolean => code === 'too_small' || code === 'too_big';

const numbers = ['1, 2, 3 …'];
const expectedWords: Readonly<Record<string, string[]>> = { number: numbers, int: numbers, boolean: ['true', 'false'] };

function allowedBy(issue: Issue): string[] {
  switch (issue.code) {
    case 'invalid_value':
      return issue.values.map(String);
    case 'too_small':
      return [`≥ ${issue.minimum}`];
    case 'too_big':
      return [`≤ ${issue.maximum}`];
    case 'invalid_type':
      return expectedWords[issue.expected] ?? [];
    case 'invalid_format':
      return ['1x6, 2x2'];
    default:
      return [];
  }
}

/** Settings that the schema dropped, by dotted path. */
function unknownSettings(given: unknown, read: unknown, path = ''): string[] {
  if (!isRecord(given) || !isRecord(read)) return [];
  return Object.entries(given).flatMap(([key, value]) =>
    key in read ? unknownSettings(value, read[key], `${path}${key}.`) : [`${path}${key}`],
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The plan for pages and a profile. Pure: the preview, the validation and the imposition itself all call this, and
 * get the same plan for the same input.
 */
export function planOf(input: LayoutInput, profile: ImposeProfile): PlanResult {
  try {
    // A profile's type picks both its schema and its layout from the same key.
    const plan = layouts[profile.type].plan as (input: LayoutInput, settings: ImposeProfile) => Plan;
    return { ok: true, plan: plan(input, profile) };
  } catch (error) {
    if (error instanceof LayoutFault) return { ok: false, problems: [error.problem] };
    throw error;
  }
}
