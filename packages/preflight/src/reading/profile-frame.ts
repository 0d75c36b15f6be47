/** The part of a preflight profile that holds for all its checks. */
import { pageRangeSchema, unitSchema } from '@pdf2press/contract';
import { z } from 'zod';

/** Kinds of object that a check can be limited to. */
export const objectFilters = ['text', 'vector', 'image', 'shading', 'annotation'] as const;
export type ObjectFilter = (typeof objectFilters)[number];

export const ruleSeveritySchema = z.enum(['Off', 'Info', 'Warn', 'Fail']);
export type RuleSeverityOverride = z.infer<typeof ruleSeveritySchema>;

const boxPolicySchema = z.strictObject({
  /** Without a TrimBox the trim is read from crop marks, if there are any. */
  inferFromMarks: z.boolean().default(false),
  /** Without a TrimBox and marks this box is the trim; without a CropBox it is the MediaBox. */
  trimFallback: z.enum(['Crop', 'Media']).default('Crop'),
  onMissingTrim: ruleSeveritySchema.default('Warn'),
});
export type BoxPolicy = z.output<typeof boxPolicySchema>;

/** Fields of a preflight profile besides its checks. */
export const profileFrameSchema = z.strictObject({
  name: z.string().max(200).default(''),
  description: z.string().max(2000).default(''),
  basePreset: z.strictObject({ key: z.string(), version: z.number().int() }).nullable().default(null),
  /** Unit in which lengths are shown; stored lengths are points. */
  unit: unitSchema.default('Millimeters'),
  boxPolicy: boxPolicySchema.prefault({}),
  pageRange: pageRangeSchema.default('all'),
  considerLayers: z.enum(['DefaultViewState', 'AllOn', 'PrintState']).default('DefaultViewState'),
  /** Printed size divided by size in the file: 10 for a file drawn at 1:10. */
  scaleFactor: z.number().positive().max(1000).default(1),
  /** Viewing distance of large format prints, metres. */
  viewingDistanceM: z.number().positive().max(1000).nullable().default(null),
  /** `Check.setting` → expression over workflow variables. An expression that has no value leaves the stored setting. */
  variables: z.record(z.string(), z.string().max(500)).default({}),
});
export type ProfileFrame = z.output<typeof profileFrameSchema>;
