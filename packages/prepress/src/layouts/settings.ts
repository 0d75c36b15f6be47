import { parseLength } from '@pdf2press/contract';
import { z } from 'zod';
import { onlyWhen } from '../checks/fields.ts';
import { word } from './word.ts';

/*
 * The parts that the settings of several layouts share (spec/impose §2). A length is written as a person types it
 * ("3mm", "0.125in") and read as points, so that a stored profile keeps the operator's unit; a bare number is points.
 */

const mm = 72 / 25.4;
/** Ten metres: the longest sheet or roll an imposition may have. */
const longest = 10_000 * mm;

/** A length setting. `min` and `max` are points; `unit: 'points'` where the trade counts in points: type, lines. */
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

/** Accepts what a command line or a form may say for a list, `0,3mm,0`, and one number for a list of it alone. */
const listOf = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => {
    if (typeof value === 'number') return [value];
    return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value;
  }, z.array(item).min(1).max(1000));

/** A count of rows or columns, or as many as fit. */
export const count = z.union([z.literal('Auto'), z.coerce.number().int().min(1).max(1000)]).default('Auto');

export const flag = (fallback: boolean) =>
  z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean()).default(fallback);

/** Sheet names an operator may type; millimetres, as sold. */
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

/** `SRA3`, `320x450mm`, `13x19in`, `roll` or `roll 330mm` → width and height as typed lengths; anything else as it is. */
function readSheet(value: unknown): unknown {
  // Of a roll only the width is known: it is as long as the rows need.
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

/** A sheet object that leaves its size to its name. */
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
  /** `Auto`: the smallest that holds the block and its margins. */
  width: z.union([z.literal('Auto'), length('320mm', { min: 10 * mm })]).default(320 * mm),
  /** On a roll `Auto` is the length that the rows need. */
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

/** What every layout asks: sheet, page box, bleed, marks' ground. */
export const sheetSettings = {
  sheet: sheetSchema,
  /** Not printable. */
  margins: sidesSchema('5mm'),
  /** 0 by default: the default sheet is a digital press's, which has no gripper; an offset press has some 10 mm. */
  gripper: z
    .preprocess(
      (value) => (typeof value === 'string' || typeof value === 'number' ? { size: value } : value),
      z.object({ edge: word(['Bottom', 'Top', 'Left', 'Right']).default('Bottom'), size: length('0mm') }),
    )
    .prefault({}),
  /** The box of the page that is cut out. */
  cellBox: word(['Trim', 'Bleed', 'Media']).default('Trim'),
  bleed: z
    .object({
      policy: word(bleedPolicies).default('FromPage'),
      /** How much a Fixed or Pull bleed is, and the most that is taken from a page without a BleedBox. */
      amount: length('3mm', { max: 100 * mm }),
    })
    .prefault({}),
  alignment: z
    .object({
      point: word(['TopLeft', 'Top', 'TopRight', 'Left', 'Centre', 'Right', 'BottomLeft', 'Bottom', 'BottomRight'], {
        center: 'Centre',
        middle: 'Centre',
        topcentre: 'Top',
        topcenter: 'Top',
        bottomcentre: 'Bottom',
        bottomcenter: 'Bottom',
      }).default('Centre'),
      /** Each row is aligned by its own width. */
      rowByRow: flag(false),
      /** A sheet that is not full is aligned by what it holds. */
      allSheetsIndependent: flag(false),
    })
    .prefault({}),
  /** Press register: moves the whole back side. */
  backOffset: z.object({ x: offset, y: offset }).prefault({}),
  /** Pages to take, in this order; a page may come again (`1,1,2`). */
  pages: z.string().trim().min(1).max(20_000).default('all'),
  padding: word(['BlankEnd', 'BlankBeforeLast', 'Repeat', 'FailIfIncomplete']).default('BlankEnd'),
  reverseSheets: flag(false),
  /** The back lies first in the output file. */
  faceDown: flag(false),
  /** How many finished copies, and how many more for waste. */
  copies: z.coerce.number().int().min(1).max(100_000_000).default(1),
  oversPercent: z.coerce.number().min(0).max(1000).default(0),
  pageScaling: z
    .object({
      mode: word(['None', 'Fit', 'Fill', 'Proportional', 'Stretch']).default('None'),
      percent: onlyWhen({ mode: 'Proportional' }, z.coerce.number().min(1).max(1000).default(100)),
      /** A stretch may change width against height by so much. */
      maxDistortionPercent: onlyWhen({ mode: 'Stretch' }, z.coerce.number().min(0).max(50).default(2)),
    })
    .prefault({}),
  /** The size pages are scaled to; `Auto` is the page's own, or for Fit, Fill and Stretch what rows and columns leave. */
  cell: z.object({ width: autoLength, height: autoLength }).prefault({}),
  mixedSizes: word(['Fail', 'Centre', 'Scale']).default('Fail'),
  pageSizeTolerance: length('0.5mm', { max: 100 * mm }),
};

const turns = ['Same', 'Alternate180', 'HeadToHead', 'FootToFoot', 'First', 'Last', 'Odd', 'Even'] as const;
/** Which rows or columns are turned by 180°. HeadToHead and FootToFoot pair them from the first. */
export const turnSchema = word(turns).default('Same');
export type Turn = (typeof turns)[number];

/** `2×bleed`, as it is written on job tickets, is TwiceBleed. */
const gutterSchema = z
  .preprocess(
    (value) => (typeof value === 'string' && /^\s*2\s*[x×*]\s*bleed\s*$/i.test(value) ? 'TwiceBleed' : value),
    z.union([z.enum(['TwiceBleed']), listOf(length('0mm'))]),
  )
  .default('TwiceBleed');

export const workStyles = ['Sheetwise', 'WorkAndTurn', 'WorkAndTumble', 'Perfecting'] as const;

const duplexWords: Readonly<Record<string, string>> = { true: 'Duplex', false: 'Simplex' };

/** What the layouts on a grid ask on top of that. */
export const gridSettings = {
  ...sheetSettings,
  rows: count,
  columns: count,
  /** Between columns; a list names each gap from the left, its last value goes on. */
  gutterH: gutterSchema,
  /** Between rows, from the top. */
  gutterV: gutterSchema,
  rotation: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
      z.union([z.literal('Auto'), z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
    )
    .default('Auto'),
  rowsOrientation: turnSchema,
  columnsOrientation: turnSchema,
  /** Whole rows may be turned by 90° to gain copies. */
  mixedRotation: flag(false),
  /** Auto: see each layout. */
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

/** Creep (spec/impose §5). */
export const creepSchema = z
  .object({
    enabled: flag(true),
    /** 0 with no grammage: no creep. */
    paperThickness: onlyWhen(creeping, length('0mm', { max: 10 * mm })),
    /** Or from the paper: g/m² × bulk / 1000 mm. */
    gsm: onlyWhen(creeping, z.coerce.number().min(0).max(2000).default(0)),
    bulk: onlyWhen(creeping, z.coerce.number().min(0.3).max(5).default(1)),
    factor: onlyWhen(creeping, z.coerce.number().min(0.5).max(2).default(1)),
    direction: onlyWhen(creeping, word(['InsideIn', 'OutsideOut']).default('InsideIn')),
    method: onlyWhen(creeping, word(['Shift', 'ScaleHorizontally']).default('Shift')),
    scope: onlyWhen(creeping, word(['Document', 'PerSignature']).default('Document')),
    /** Whole creep of the innermost sheet, instead of thickness × sheets; 0: computed. */
    total: onlyWhen(creeping, length('0mm', { max: 100 * mm })),
  })
  .prefault({});
export type CreepSettings = z.infer<typeof creepSchema>;

export const sheetSettingsSchema = z.object(sheetSettings);
export type SheetSettings = z.infer<typeof sheetSettingsSchema>;
export const gridSettingsSchema = z.object(gridSettings);
export type GridSettings = z.infer<typeof gridSettingsSchema>;
