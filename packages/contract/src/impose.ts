import { z } from 'zod';
import { bottleAxes, imposeLayouts, type PlanWorkStyle, xjdfWorkStyles } from './impose-layouts.ts';

/*
 * The imposition plan: decided by a layout, drawn by the preview, checked by validation, executed by the writer and
 * exported to JDF and XJDF. All lengths are points; the origin of a sheet side is its lower left corner, as seen when
 * looking at that side. Names are those of XJDF where it has one.
 */

export const imposeLayoutSchema = z.enum(imposeLayouts);

export const planWorkStyleSchema = z.enum(Object.keys(xjdfWorkStyles) as [PlanWorkStyle, ...PlanWorkStyle[]]);

/** A rectangle by its lower left corner and its size, points. */
export const rectSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
export type Rect = z.infer<typeof rectSchema>;

const pointSchema = z.object({ x: z.number(), y: z.number() });

/** Degrees counter-clockwise, as XJDF's Orientation `Rotate0|90|180|270`. */
export const rotationSchema = z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]);
export type Rotation = z.infer<typeof rotationSchema>;

/** Path segments: `M x y`, `L x y`, `C x1 y1 x2 y2 x y`, `Z`, as a letter with its numbers. */
const segmentsSchema = z.array(z.tuple([z.enum(['M', 'L', 'C', 'Z']), z.array(z.number())]));

/** One position for one page on a side. */
export const cellSchema = z.object({
  /** 0 is the top row when looking at this side. */
  row: z.number().int().nonnegative(),
  /** 0 is the left column when looking at this side. */
  column: z.number().int().nonnegative(),
  /** 1-based in the imposed document (with several files the count continues); 0 is blank. */
  page: z.number().int().nonnegative(),
  rotation: rotationSchema,
  /** The trimmed page on the sheet, after rotation. Creep and bottling do not move it. */
  ...rectSchema.shape,
  /** The area that may be printed: the trim and its bleed. Creep does not move it; bottling makes it hold the turned page. */
  clip: rectSchema,
  /** Only this outline on the sheet and `grow` points around it may be printed, inside `clip`; die cutting only. */
  shape: z.object({ outline: segmentsSchema, grow: z.number().nonnegative() }).optional(),
  /** Scale of the content relative to the page, along the page's own x and y. */
  scale: pointSchema.default({ x: 1, y: 1 }),
  /** How far the content is moved inside its cell, along the sheet's x and y: by creep, or to fit a die. */
  shift: pointSchema.default({ x: 0, y: 0 }),
  /** A small turn of the content about a corner of the trim, which folding a thick section undoes; bound layouts only. */
  bottle: z
    .object({
      axis: z.enum(bottleAxes),
      /** Degrees counter-clockwise, as seen on this side. */
      angle: z.number(),
      ...pointSchema.shape,
      /** What of the page may be printed, before it is turned; it turns with the page. */
      clip: rectSchema,
    })
    .optional(),
  /** The section (signature) the page belongs to, 1-based; bound layouts only. */
  section: z.number().int().positive().optional(),
  /** The station of a die that this cell belongs to, 1-based; die cutting only. */
  station: z.number().int().positive().optional(),
});
export type Cell = z.infer<typeof cellSchema>;

/** Ink of a mark: every plate, one process build, or a spot colour by name with its CMYK alternate (0–1). */
export const inkSchema = z.union([
  z.object({ all: z.number().min(0).max(1) }),
  z.object({ cmyk: z.tuple([z.number(), z.number(), z.number(), z.number()]) }),
  z.object({
    spot: z.string(),
    tint: z.number().min(0).max(1),
    alternate: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  }),
]);
export type Ink = z.infer<typeof inkSchema>;

const strokeSchema = z.object({ ink: inkSchema, width: z.number().positive(), dash: z.array(z.number()).optional() });

/** The shapes of a mark. Angles are counter-clockwise. */
export const shapeSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('line'),
    x1: z.number(),
    y1: z.number(),
    x2: z.number(),
    y2: z.number(),
    stroke: strokeSchema,
  }),
  z.object({ type: z.literal('rect'), ...rectSchema.shape, fill: inkSchema }),
  z.object({
    type: z.literal('circle'),
    x: z.number(),
    y: z.number(),
    radius: z.number(),
    stroke: strokeSchema.optional(),
    fill: inkSchema.optional(),
  }),
  z.object({
    type: z.literal('path'),
    segments: segmentsSchema,
    stroke: strokeSchema.optional(),
    fill: inkSchema.optional(),
  }),
  z.object({
    type: z.literal('text'),
    x: z.number(),
    y: z.number(),
    size: z.number().positive(),
    rotation: rotationSchema,
    text: z.string(),
    ink: inkSchema,
  }),
  z.object({
    type: z.literal('barcode'),
    ...rectSchema.shape,
    /** A symbology of bwip-js: `qrcode`, `code128`, `datamatrix`. The writer draws it as vectors. */
    symbology: z.string(),
    text: z.string(),
    ink: inkSchema,
  }),
  z.object({
    type: z.literal('strip'),
    /** One tile of the profile's colour bar, after rotation; only the part inside `clip` is drawn. */
    ...rectSchema.shape,
    rotation: rotationSchema,
    clip: rectSchema,
  }),
]);
export type Shape = z.infer<typeof shapeSchema>;

export const markKinds = [
  'Crop',
  'Fold',
  'Centre',
  'Registration',
  'ColorBar',
  'GrayBar',
  'Slug',
  'Collation',
  'Barcode',
  'CutLine',
  'DieLine',
  'CutterDots',
  'SideLay',
] as const;
export const markKindSchema = z.enum(markKinds);
export type MarkKind = (typeof markKinds)[number];

/** One mark of one side. `processingStep` makes it a technical layer of its own (ISO 19593-1). */
export const markSchema = z.object({
  mark: markKindSchema,
  shapes: z.array(shapeSchema),
  processingStep: z.object({ group: z.string(), type: z.string() }).optional(),
});
export type Mark = z.infer<typeof markSchema>;

export const sideSchema = z.object({ cells: z.array(cellSchema), marks: z.array(markSchema) });
export type Side = z.infer<typeof sideSchema>;

const foldSideSchema = z.enum(['L', 'R', 'T', 'B']);

export const planSheetSchema = z.object({
  /** 1-based, in the order of output. */
  number: z.number().int().positive(),
  ...rectSchema.pick({ width: true, height: true }).shape,
  workStyle: planWorkStyleSchema,
  /** How many times this sheet is to be printed. */
  quantity: z.number().int().positive(),
  /** Which stock: a separate cover has its own. */
  role: z.enum(['Body', 'Cover']),
  /** The rectangle around the trims of all cells. */
  block: rectSchema,
  /**
   * Folds, in order; `L`: the left part is folded onto the rest. Empty when nothing is folded (XJDF FoldCatalog where it
   * has one).
   */
  folds: z.array(foldSideSchema),
  /** The same folds with how many columns or rows of what is left each takes, behind the rest or over it. */
  foldSteps: z
    .array(z.object({ side: foldSideSchema, panels: z.number().int().positive(), isOver: z.boolean() }))
    .optional(),
  foldCatalog: z.string().optional(),
  /** Which side comes first in the output file. */
  firstSide: z.enum(['Front', 'Back']),
  front: sideSchema,
  /** Null when the back is not printed, or is printed with the same plate (work-and-turn, work-and-tumble). */
  back: sideSchema.nullable(),
});
export type PlanSheet = z.infer<typeof planSheetSchema>;

/** A problem with settings or pages: `field` is the setting concerned; lengths in the params are points. */
export const planProblemSchema = z.object({
  code: z.string(),
  severity: z.enum(['Fail', 'Warn']),
  field: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type PlanProblem = z.infer<typeof planProblemSchema>;

export const planSchema = z.object({
  format: z.literal('pdf2press-plan'),
  formatVersion: z.literal(1),
  layout: imposeLayoutSchema,
  bindingEdge: z.enum(['Left', 'Right', 'Top', 'None']),
  /** The page box whose centre is placed on the centre of its cell (moved by the cell's `shift`). */
  cellBox: z.enum(['Trim', 'Bleed', 'Media']),
  /** Pages of the document that is imposed. */
  pageCount: z.number().int().positive(),
  sheets: z.array(planSheetSchema).min(1),
  warnings: z.array(planProblemSchema),
});
export type Plan = z.infer<typeof planSchema>;

/** What a layout needs to know of a page: boxes as displayed (after Rotate and UserUnit), points, any origin. */
export const layoutPageSchema = z.object({
  media: rectSchema,
  trim: rectSchema,
  bleed: rectSchema,
  /** Whether the page has a BleedBox of its own; otherwise the bleed is the area around the trim. */
  hasBleedBox: z.boolean(),
  hasTrimBox: z.boolean(),
  /** The ArtBox, if the page has one. */
  art: rectSchema.optional(),
});
export type LayoutPage = z.infer<typeof layoutPageSchema>;
