import { bottleAxes, parseLength } from '@pdf2press/contract';
import { anchors, onlyWhen, word } from '@pdf2press/settings';
import { z } from 'zod';

/*
 * Settings that several layouts share. A length is stored as the operator typed it ("3mm", "0.125in") and parsed to
 * points, so that a profile keeps the operator's unit; a number without a unit is points.
 */

const mm = 72 / 25.4;
/** Ten metres: the largest width or height of a sheet or roll section. */
const longest = 10_000 * mm;

/** A length setting. `min` and `max` are points; `unit: 'points'` for type sizes and line widths. */
export const length = (fallback: string, { min = 0, max = longest, unit = 'length' } = {}) =>
  z
    .union([z.number(), z.string().max(40)])
    .transform((typed, context) => {
      const points = typeof typed === 'number' ? typed : parseLength(typed);
      if (points !== null && Number.isFinite(points) && points >= min && points <= max) return points;
      context.addIssue({ code: 'custom', params: { code: 'impose.lengthInvalid', min, max } });
      return z.NEVER;
    })
    .default(() => parseLength(fallback) ?? 0)
    .meta({ kind: 'length', unit, default: fallback, min, max });

/** `Auto` or a length. */
const autoLength = z.union([z.literal('Auto'), length('0mm', { min: 10 * mm })]).default('Auto');

/** A list that may also be given as text (`0,3mm,0`) or, for one value, as a number. */
const listOf = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => {
    if (typeof value === 'number') return [value];
    return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value;
  }, z.array(item).min(1).max(1000));

/** A number of rows or columns; `Auto`: as many as fit. */
export const count = z.union([z.literal('Auto'), z.coerce.number().int().min(1).max(1000)]).default('Auto');

export const flag = (fallback: boolean) =>
  z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean()).default(fallback);

/**
 * Named sheet sizes, width and height in millimetres: ISO 216 A and B sizes, ISO 217 RA and SRA sizes, North American
 * sizes.
 */
export const namedSheets: Readonly<Record<string, readonly [number, number]>> = {
  A0: [841, 1189],
  A1: [594, 841],
  A2: [420, 594],
  A3: [297, 420],
  A4: [210, 297],
  A5: [148, 210],
  A6: [105, 148],
  RA2: [430, 610],
  RA3: [305, 430],
  RA4: [215, 305],
  SRA1: [640, 900],
  SRA2: [450, 640],
  SRA3: [320, 450],
  SRA4: [225, 320],
  B1: [707, 1000],
  B2: [500, 707],
  B3: [353, 500],
  '13x19': [330.2, 482.6],
  '12x18': [304.8, 457.2],
  Letter: [215.9, 279.4],
  Legal: [215.9, 355.6],
  Tabloid: [279.4, 431.8],
};

/**
 * Expands `SRA3`, `320x450mm`, `13x19in`, `auto`, `roll` or `roll 330mm` to a sheet object; returns anything else
 * unchanged.
 */
function readSheet(value: unknown): unknown {
  // A roll without a height is as long as its rows need.
  if (isOpenRoll(value)) return { ...value, height: 'Auto' };
  if (isNameOnly(value)) {
    const read = readSheet(value.name);
    return typeof read === 'object' ? { ...read, ...value } : value;
  }
  if (typeof value !== 'string') return value;
  const name = Object.keys(namedSheets).find((known) => known.toLowerCase() === value.trim().toLowerCase());
  const size = name === undefined ? undefined : namedSheets[name];
  if (size) return { name, width: `${size[0]}mm`, height: `${size[1]}mm` };
  const roll = /^\s*roll(?:[\s:]+([\d.,]+\s*[a-z]*))?\s*$/i.exec(value);
  if (roll) return { name: 'Roll', kind: 'Roll', height: 'Auto', ...(roll[1] ? { width: roll[1] } : {}) };
  const typed = /^\s*([\d.,]+)\s*([a-z]*)\s*[x×*]\s*([\d.,]+)\s*([a-z]*)\s*$/i.exec(value);
  if (!typed) return value.trim().toLowerCase() === 'auto' ? { width: 'Auto', height: 'Auto' } : value;
  const unit = typed[4] || 'mm';
  return { name: value.trim(), width: `${typed[1]}${typed[2] || unit}`, height: `${typed[3]}${unit}` };
}

const isOpenRoll = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Roll' && !('height' in value);

/** A sheet object with a name and no size. */
const isNameOnly = (value: unknown): value is { name: string } =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  !('width' in value) &&
  !('height' in value);

const sheetObject = z.object({
  name: z.string().max(100).default('SRA3'),
  kind: word(['Sheet', 'Roll']).default('Sheet'),
  /** `Auto`: as wide as the block and its margins. */
  width: z.union([z.literal('Auto'), length('320mm', { min: 10 * mm })]).default(320 * mm),
  /** `Auto`: as high as the block and its margins; on a roll, the length that the rows need. */
  height: z.union([z.literal('Auto'), length('450mm', { min: 10 * mm })]).default(450 * mm),
  orientation: word(['Portrait', 'Landscape', 'Best', 'AsGiven']).default('Best'),
});

const sheetSchema = z.preprocess(readSheet, sheetObject).prefault({});

const sidesSchema = (fallback: string) =>
  z.preprocess(
    (value) =>
      typeof value === 'string' || typeof value === 'number'
        ? { top: value, bottom: value, left: value, right: value }
        : value,
    z
      .object({ top: length(fallback), bottom: length(fallback), left: length(fallback), right: length(fallback) })
      .prefault({}),
  );

const offset = length('0mm', { min: -longest });
const bleedPolicies = ['FromPage', 'Fixed', 'None', 'Pull'] as const;

/** Where on the printable area what is printed lies. */
export const alignmentPoint = word(anchors, {
  center: 'Centre',
  middle: 'Centre',
  topcentre: 'Top',
  topcenter: 'Top',
  bottomcentre: 'Bottom',
  bottomcenter: 'Bottom',
}).default('Centre');

/** Settings of every layout. */
export const sheetSettings = {
  sheet: sheetSchema,
  /** The unprintable edges of the sheet. */
  margins: sidesSchema('5mm'),
  /** 0 by default, because digital presses have no gripper; sheetfed offset presses need about 10 mm. */
  gripper: z
    .preprocess(
      (value) => (typeof value === 'string' || typeof value === 'number' ? { size: value } : value),
      z.object({ edge: word(['Bottom', 'Top', 'Left', 'Right']).default('Bottom'), size: length('0mm') }),
    )
    .prefault({}),
  /** The page box that becomes the cell: what the sheet is cut to. */
  cellBox: word(['Trim', 'Bleed', 'Media']).default('Trim'),
  bleed: z
    .object({
      policy: word(bleedPolicies).default('FromPage'),
      /** The bleed of Fixed and Pull; with FromPage, the limit for pages without a BleedBox. */
      amount: length('3mm', { max: 100 * mm }),
    })
    .prefault({}),
  alignment: z
    .object({
      point: alignmentPoint,
      /** Align each row by its own width. */
      rowByRow: flag(false),
      /** Align a partly filled sheet by its occupied cells only. */
      allSheetsIndependent: flag(false),
    })
    .prefault({}),
  /** Moves the whole back side, to correct front-to-back register. */
  backOffset: z.object({ x: offset, y: offset }).prefault({}),
  /** Page range or list, in imposition order; a page may be repeated (`1,1,2`). */
  pages: z.string().trim().min(1).max(20_000).default('all'),
  padding: word(['BlankEnd', 'BlankBeforeLast', 'Repeat', 'FailIfIncomplete']).default('BlankEnd'),
  reverseSheets: flag(false),
  /** Write the back of each sheet before its front. */
  faceDown: flag(false),
  /** Finished copies, and the percentage of extra sheets for waste (overs). */
  copies: z.coerce.number().int().min(1).max(100_000_000).default(1),
  oversPercent: z.coerce.number().min(0).max(1000).default(0),
  pageScaling: z
    .object({
      mode: word(['None', 'Fit', 'Fill', 'Proportional', 'Stretch']).default('None'),
      percent: onlyWhen({ mode: 'Proportional' }, z.coerce.number().min(1).max(1000).default(100)),
      /** Largest allowed difference between the horizontal and the vertical scale. */
      maxDistortionPercent: onlyWhen({ mode: 'Stretch' }, z.coerce.number().min(0).max(50).default(2)),
    })
    .prefault({}),
  /**
   * The size pages are scaled to. `Auto`: the page's own size; with Fit, Fill and Stretch, the space that rows and
   * columns leave.
   */
  cell: z.object({ width: autoLength, height: autoLength }).prefault({}),
  mixedSizes: word(['Fail', 'Centre', 'Scale']).default('Fail'),
  pageSizeTolerance: length('0.5mm', { max: 100 * mm }),
};

const turns = ['Same', 'Alternate180', 'HeadToHead', 'FootToFoot', 'First', 'Last', 'Odd', 'Even'] as const;
/** Which rows or columns are turned by 180°. HeadToHead turns the first of each pair, FootToFoot the second. */
export const turnSchema = word(turns).default('Same');
export type Turn = (typeof turns)[number];

/** `TwiceBleed` may also be written `2×bleed`. */
const gutterSchema = z
  .preprocess(
    (value) => (typeof value === 'string' && /^\s*2\s*[x×*]\s*bleed\s*$/i.test(value) ? 'TwiceBleed' : value),
    z.union([z.enum(['TwiceBleed']), listOf(length('0mm'))]),
  )
  .default('TwiceBleed');

export const workStyles = ['Sheetwise', 'WorkAndTurn', 'WorkAndTumble', 'Perfecting'] as const;

const duplexWords: Readonly<Record<string, string>> = { true: 'Duplex', false: 'Simplex' };

/** Settings of the layouts on a grid. */
export const gridSettings = {
  ...sheetSettings,
  rows: count,
  columns: count,
  /** Gaps between columns, from the left; the last value of a list repeats. */
  gutterH: gutterSchema,
  /** Gaps between rows, from the top; the last value of a list repeats. */
  gutterV: gutterSchema,
  rotation: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
      z.union([z.literal('Auto'), z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
    )
    .default('Auto'),
  rowsOrientation: turnSchema,
  columnsOrientation: turnSchema,
  /** Turn whole rows by 90° where that places more pages on the sheet. */
  mixedRotation: flag(false),
  /** `Auto`: each layout decides. */
  duplex: z
    .preprocess((value) => duplexWords[String(value)] ?? value, word(['Auto', 'Simplex', 'Duplex']))
    .default('Auto'),
  workStyle: word(workStyles).default('Sheetwise'),
};

export const startCornerSchema = word(['TopLeft', 'TopRight', 'BottomLeft', 'BottomRight'], {
  tl: 'TopLeft',
  tr: 'TopRight',
  bl: 'BottomLeft',
  br: 'BottomRight',
}).default('TopLeft');

const creeping = { enabled: true };

/** Compensation of creep: nested pages stick out at the face by the thickness of the paper around them. */
export const creepSchema = z
  .object({
    enabled: flag(true),
    /** 0: computed from grammage and bulk; without a grammage there is no creep. */
    paperThickness: onlyWhen(creeping, length('0mm', { max: 10 * mm })),
    /** Thickness in mm = gsm × bulk / 1000. */
    gsm: onlyWhen(creeping, z.coerce.number().min(0).max(2000).default(0)),
    bulk: onlyWhen(creeping, z.coerce.number().min(0.3).max(5).default(1)),
    factor: onlyWhen(creeping, z.coerce.number().min(0.5).max(2).default(1)),
    direction: onlyWhen(creeping, word(['InsideIn', 'OutsideOut']).default('InsideIn')),
    method: onlyWhen(creeping, word(['Shift', 'ScaleHorizontally']).default('Shift')),
    scope: onlyWhen(creeping, word(['Document', 'PerSignature']).default('Document')),
    /** Creep of the innermost sheet, in place of thickness × sheets; 0: computed. */
    total: onlyWhen(creeping, length('0mm', { max: 100 * mm })),
  })
  .prefault({});
export type CreepSettings = z.infer<typeof creepSchema>;

/** Degrees; folding skews pages by fractions of a degree. */
const bottleAngle = z.coerce.number().min(-2).max(2).default(0);

/**
 * Compensation of bottling: a sheet that is folded across its folds is thickest at the closed edges, so its leaves skew,
 * the inner ones most. A positive angle leans the head of a page towards its spine.
 */
export const bottlingSchema = z
  .object({
    /** Of the outermost and the innermost leaf pair of a folded sheet; those between are spread evenly. */
    outermost: bottleAngle,
    innermost: bottleAngle,
    /** The corner of the trim that stays in place. */
    axis: word(bottleAxes).default('SpineHead'),
  })
  .prefault({});
export type BottlingSettings = z.infer<typeof bottlingSchema>;

export const sheetSettingsSchema = z.object(sheetSettings);
export type SheetSettings = z.infer<typeof sheetSettingsSchema>;
export const gridSettingsSchema = z.object(gridSettings);
export type GridSettings = z.infer<typeof gridSettingsSchema>;
