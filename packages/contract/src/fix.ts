import { z } from 'zod';
import { resultLevelSchema } from './enumerations.ts';
import { boxSchema, findingParamsSchema } from './findings.ts';

/** The outcome of one action. */
export const fixOutcomes = ['Applied', 'NothingToDo', 'Skipped', 'Failed'] as const;
export const fixOutcomeSchema = z.enum(fixOutcomes);
export type FixOutcome = (typeof fixOutcomes)[number];

/** A code with parameters; its sentences are the action's messages `reasons.<code>` or the general ones. */
export const fixReasonSchema = z.object({ code: z.string(), params: findingParamsSchema.default({}) });
export type FixReason = z.infer<typeof fixReasonSchema>;

/**
 * One line of the change log. Equal changes on a page are one line with a `count`. `what` names the sentence
 * (`changes.<what>` in the action's messages), which `before`, `after` and `params` fill.
 */
export const fixChangeSchema = z.object({
  /** Index of the action in the profile, from 0. */
  index: z.number().int().nonnegative(),
  action: z.string(),
  what: z.string(),
  /** 1-based in the file as the action found it; null for the whole document. */
  page: z.number().int().positive().nullable(),
  /** Object number and content path: `12 0 R page/Fm12/op345`. */
  object: z.string().optional(),
  /** Where on the page, default user space, points. */
  box: boxSchema.optional(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** The setting that required the change. */
  parameter: z.string().optional(),
  params: findingParamsSchema.default({}),
  /** A small image of what was removed, for example a page: `data:image/jpeg;base64,…` */
  thumbnail: z.string().startsWith('data:image/jpeg;base64,').optional(),
  count: z.number().int().positive().default(1),
});
export type FixChange = z.infer<typeof fixChangeSchema>;

/** How the page images before and after the fix were compared, to show that nothing else changed. */
export const fixGateSchema = z.object({
  /** `facts`: nothing that paints was changed, so no images were compared. */
  method: z.enum(['facts', 'plates', 'rgb']),
  isPassed: z.boolean(),
  pages: z.array(
    z.object({
      page: z.number().int().positive(),
      dpi: z.number(),
      /** CIEDE2000 outside the declared objects, inside the trim. */
      mean: z.number(),
      p999: z.number(),
      /** The mean of the region (about the size of a letter) that differs most. */
      worst: z.number().optional(),
    }),
  ),
  /** Facts that changed although the action must not change them. */
  broken: z.array(fixReasonSchema),
});
export type FixGate = z.infer<typeof fixGateSchema>;

export const fixActionResultSchema = z.object({
  index: z.number().int().nonnegative(),
  action: z.string(),
  outcome: fixOutcomeSchema,
  /** Objects changed, and the pages they are on. */
  objects: z.number().int().nonnegative(),
  pages: z.array(z.number().int().positive()),
  reason: fixReasonSchema.nullable(),
  warnings: z.array(fixReasonSchema),
  gate: fixGateSchema.nullable(),
  /** Changes counted but not listed, because there were more than the log holds. */
  unlisted: z.number().int().nonnegative().default(0),
  durationMs: z.number().nonnegative(),
});
export type FixActionResult = z.infer<typeof fixActionResultSchema>;

/** The result of a fix step, versioned: read by the log file, the session and the proof. */
export const fixReportSchema = z.object({
  format: z.literal('pdf2press-fix'),
  formatVersion: z.literal(1),
  engineVersion: z.string(),
  profile: z.object({ id: z.string().nullable(), name: z.string(), version: z.number().nullable() }),
  file: z.object({ name: z.string(), bytes: z.number(), pageCount: z.number().int() }),
  /** What was written: the original byte for byte unless `isChanged`; null when an action failed that must not fail. */
  out: z
    .object({ path: z.string(), bytes: z.number(), pageCount: z.number().int(), isChanged: z.boolean() })
    .nullable(),
  /** Error: an action failed and the original is kept. Warning: something to check. */
  result: resultLevelSchema,
  actions: z.array(fixActionResultSchema),
  changes: z.array(fixChangeSchema),
  /** About the profile or the whole file: reversed order, signatures that become invalid. */
  warnings: z.array(fixReasonSchema),
  startedAt: z.string(),
  durationMs: z.number().nonnegative(),
});
export type FixReport = z.infer<typeof fixReportSchema>;
