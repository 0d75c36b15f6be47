import { z } from 'zod';
import { resultLevelSchema, severitySchema } from './enumerations.ts';
import { localeSchema } from './locale-schema.ts';

/** [x0, y0, x1, y1] in unrotated default user space, points, origin lower left. */
export const boxSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);
export type Box = z.infer<typeof boxSchema>;

export const measureUnits = ['pt', 'ppi', '%', 'bytes', 'count', 'deg', 'version'] as const;
/** A measured value or a limit; lengths are in `pt` and shown in the reader's unit. */
export const measureSchema = z.object({
  value: z.union([z.number(), z.string(), z.array(z.number())]),
  unit: z.enum(measureUnits).optional(),
  op: z.enum(['<', '<=', '>', '>=', '=', '!=', 'in', 'notIn']).optional(),
});
export type Measure = z.infer<typeof measureSchema>;

export const findingObjectTypes = [
  'text',
  'vector',
  'image',
  'shading',
  'annotation',
  'font',
  'page',
  'document',
] as const;

/** Parameters of a sentence; the message files of the check have the sentence in every language. */
export const findingParamsSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number()]))]),
);

const wordsSchema = z.partialRecord(localeSchema, z.string());

/** One finding, or a group of equal ones (`count` > 1, `boxes` holds the places that were kept). */
export const findingSchema = z.object({
  id: z.string(),
  /** The check that found it: `ImageResolution`. */
  checkKey: z.string(),
  /**
   * The rule inside the check: `ImageResolution.low`. Its sentences are the check's messages
   * `rules.<rule>.customer|operator`.
   */
  ruleKey: z.string(),
  severity: severitySchema,
  /** 1-based; null for the whole file. */
  page: z.number().int().positive().nullable(),
  pageLabel: z.string().optional(),
  objectType: z.enum(findingObjectTypes).optional(),
  /** Object number and content path: `12 0 R page/Fm12/op345`. */
  objectRef: z.string().optional(),
  resourceName: z.string().optional(),
  box: boxSchema.optional(),
  boxes: z.array(boxSchema).optional(),
  quad: z.array(z.number()).length(8).optional(),
  side: z.enum(['left', 'right', 'top', 'bottom']).optional(),
  measured: measureSchema.optional(),
  limit: measureSchema.optional(),
  colour: z
    .object({
      space: z.string(),
      components: z.array(z.number()),
      overprint: z.boolean().optional(),
      overprintMode: z.number().optional(),
      alpha: z.number().optional(),
      blendMode: z.string().optional(),
    })
    .optional(),
  params: findingParamsSchema.default({}),
  /**
   * The subscriber's own sentences in place of the rule's, by language; `{measured}` and other placeholders are filled in.
   */
  texts: z.object({ customer: wordsSchema.optional(), operator: wordsSchema.optional() }).optional(),
  /** How many places the finding stands for. */
  count: z.number().int().positive().default(1),
  /** Pages of a group that spans several. */
  pages: z.array(z.number().int().positive()).optional(),
  /** The fix action that would correct it, with suggested parameters; null when there is none. */
  fixableBy: z
    .object({ action: z.string(), params: z.record(z.string(), z.unknown()) })
    .nullable()
    .default(null),
  /** The public rule it comes from: `GWG2022:R0015`, `PDFX4:6.3.2`. */
  standardRule: z.string().optional(),
});
export type Finding = z.infer<typeof findingSchema>;

/** The result of one check: its level, and its measured summary even when nothing is wrong. */
export const checkResultSchema = z.object({
  checkKey: z.string(),
  result: resultLevelSchema,
  /** `failed`: the check itself crashed or ran out of time, which never counts as passed. */
  state: z.enum(['done', 'notApplicable', 'failed']),
  summary: findingParamsSchema.default({}),
  findingCount: z.number().int().nonnegative(),
  durationMs: z.number().nonnegative().optional(),
});
export type CheckResult = z.infer<typeof checkResultSchema>;

/** The result of a preflight, versioned: read by the JSON report, the session and the web app. */
export const preflightReportSchema = z.object({
  format: z.literal('pdf2press-preflight'),
  formatVersion: z.literal(1),
  engineVersion: z.string(),
  profile: z.object({
    id: z.string().nullable(),
    name: z.string(),
    version: z.number().nullable(),
    preset: z.string().nullable(),
  }),
  file: z.object({ name: z.string(), bytes: z.number(), sha256: z.string() }),
  pageCount: z.number().int().nonnegative(),
  result: resultLevelSchema,
  counts: z.object({ Info: z.number(), Warn: z.number(), Fail: z.number() }),
  checks: z.array(checkResultSchema),
  findings: z.array(findingSchema),
  /** The findings as sentences, one on a line, where a language was asked for. */
  findingsText: z.string().optional(),
  /** By check, what it keeps of this file for the comparison with its next version. */
  remembered: z.record(z.string(), z.unknown()).optional(),
  startedAt: z.string(),
  durationMs: z.number(),
});
export type PreflightReport = z.infer<typeof preflightReportSchema>;
