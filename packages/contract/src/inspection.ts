import { z } from 'zod';
import { boxSchema } from './findings.ts';

/**
 * The result of `inspect` on a PDF. Lengths are PDF points (1/72 in) in default user space unless a field says otherwise.
 */

export const fontTypes = [
  'Type1',
  'Type1C',
  'TrueType',
  'Type3',
  'CIDFontType0',
  'CIDFontType0C',
  'CIDFontType2',
  'OpenType',
] as const;
export const imageKinds = ['image', 'mask', 'stencil', 'softmask'] as const;
export const imageEncodings = ['DCT', 'JPX', 'JBIG2', 'CCITT', 'Flate', 'LZW', 'RunLength', 'none'] as const;

export const encryptionSchema = z.object({
  /** RC4, AESv2, AESv3; `unknown` for another security handler. */
  method: z.enum(['RC4', 'AESv2', 'AESv3', 'none', 'unknown']),
  bits: z.number().int(),
  /** The permissions in the file; with the owner password everything is allowed. */
  permissions: z.object({
    print: z.boolean(),
    printHighQuality: z.boolean(),
    modify: z.boolean(),
    extract: z.boolean(),
    annotate: z.boolean(),
    fillForms: z.boolean(),
    accessibility: z.boolean(),
    assemble: z.boolean(),
  }),
});

export const outputIntentSchema = z.object({
  subtype: z.string(),
  identifier: z.string().nullable(),
  condition: z.string().nullable(),
  registry: z.string().nullable(),
  info: z.string().nullable(),
  /** Embedded profile, if any: its number of components and the name in its header (`CMYK`, `RGB`, `GRAY`). */
  profile: z.object({ object: z.number().int(), components: z.number().int(), space: z.string() }).nullable(),
  /** 1-based page for an intent of one page only (PDF 2.0), null for the document's. */
  page: z.number().int().nullable(),
});

export const layerSchema = z.object({
  name: z.string(),
  object: z.number().int(),
  /** In the default configuration of optional content. */
  visible: z.boolean(),
  printed: z.boolean(),
});

export const pageBoxesSchema = z.object({
  media: boxSchema,
  crop: boxSchema,
  bleed: boxSchema,
  trim: boxSchema,
  art: boxSchema,
});

export const pageInspectionSchema = z.object({
  number: z.number().int(),
  label: z.string(),
  /** As written in the file, inherited values included; null when absent or not four numbers. */
  boxes: z.object({
    media: boxSchema.nullable(),
    crop: boxSchema.nullable(),
    bleed: boxSchema.nullable(),
    trim: boxSchema.nullable(),
    art: boxSchema.nullable(),
  }),
  /** With defaults, normalised corners, and clipped to the MediaBox (ISO 32000-1, 14.11.2). */
  effective: pageBoxesSchema,
  rotate: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
  userUnit: z.number(),
  /** Process inks and spot colours that its content names and uses; colour that is converted later (RGB, Lab) names none. */
  inks: z.array(z.string()),
  /** Blend modes, soft masks, alpha below 1 or transparency groups in its content. */
  transparency: z.boolean(),
});

/**
 * The side at which the pages are bound: `Right` where the catalog's ViewerPreferences say that they are read from right to
 * left (/Direction /R2L; ISO 32000-1, 12.2). Files that were looked at by an older release are bound at the left.
 */
export const pageBindings = ['Left', 'Right'] as const;
export const pageBindingSchema = z.enum(pageBindings);
export type PageBinding = (typeof pageBindings)[number];

/** What a viewer needs of the pages that are not drawn yet; part of an inspection. */
export const pageListSchema = z.object({
  binding: pageBindingSchema.default('Left'),
  pages: z.array(
    pageInspectionSchema.pick({ number: true, label: true, effective: true, rotate: true, userUnit: true }),
  ),
});
export type PageList = z.infer<typeof pageListSchema>;

export const fontInspectionSchema = z.object({
  /** Without subset prefix; '' when it has none (Type 3). */
  name: z.string(),
  type: z.enum(fontTypes),
  embedded: z.boolean(),
  subset: z.boolean(),
  /** Object number of the font dictionary, 0 for a direct object. */
  object: z.number().int(),
  /** Pages whose resources contain it. */
  pages: z.array(z.number().int()),
  /** Shown by at least one text operator. */
  used: z.boolean(),
});

export const imageInspectionSchema = z.object({
  page: z.number().int(),
  /** Object number of the painted image, also for its masks; 0 for an inline image. */
  object: z.number().int(),
  /** Object number of a mask or soft mask itself, else null. */
  maskObject: z.number().int().nullable(),
  kind: z.enum(imageKinds),
  inline: z.boolean(),
  width: z.number().int(),
  height: z.number().int(),
  /** Family of its colour space; null for masks. */
  colorSpace: z.string().nullable(),
  components: z.number().int(),
  bitsPerComponent: z.number().int(),
  encoding: z.enum(imageEncodings),
  /** Pixels per inch as placed, UserUnit included; null when the placed size is zero. */
  ppi: z.object({ x: z.number().nullable(), y: z.number().nullable() }),
  bbox: boxSchema,
});

export const inkInspectionSchema = z.object({
  name: z.string(),
  /** Family of the alternate colour space. */
  alternate: z.string().nullable(),
  /** False: defined but not painted with. */
  used: z.boolean(),
  pages: z.array(z.number().int()),
});

export const inspectionSchema = z.object({
  file: z.object({ bytes: z.number().int(), sha256: z.string() }),
  pdf: z.object({
    version: z.string(),
    encrypted: z.boolean(),
    encryption: encryptionSchema.nullable(),
    /** The file's structure is damaged and was rebuilt by searching for objects. */
    repaired: z.boolean(),
    producer: z.string().nullable(),
    title: z.string().nullable(),
    /** As claimed by the file, not verified: 'PDF/X-4', 'PDF/A-2b' … */
    conformance: z.array(z.string()),
    outputIntents: z.array(outputIntentSchema),
    layers: z.array(layerSchema),
    forms: z.boolean(),
    xfa: z.boolean(),
    javascript: z.boolean(),
    attachments: z.array(z.string()),
    /** Number of signature fields that are signed. */
    signatures: z.number().int(),
  }),
  pageCount: z.number().int(),
  binding: pageBindingSchema.default('Left'),
  pages: z.array(pageInspectionSchema),
  fonts: z.array(fontInspectionSchema),
  images: z.array(imageInspectionSchema),
  /** Spot inks only, without process inks, All and None. */
  inks: z.array(inkInspectionSchema),
});
export type Inspection = z.infer<typeof inspectionSchema>;
export type PageInspection = z.infer<typeof pageInspectionSchema>;
export type FontInspection = z.infer<typeof fontInspectionSchema>;
export type ImageInspection = z.infer<typeof imageInspectionSchema>;
export type InkInspection = z.infer<typeof inkInspectionSchema>;
