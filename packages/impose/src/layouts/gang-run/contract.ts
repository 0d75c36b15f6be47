import { word } from '@pdf2press/settings';
import { z } from 'zod';
import { marksSchema } from '../../marks/marks.ts';
import { alignmentPoint, flag, gridSettings, length, sheetSettings, workStyles } from '../../sheet/settings.ts';

const jobSchema = z.object({
  /** How messages name the job; empty: by its pages. */
  name: z.string().trim().max(100).default(''),
  /** The pages of the job. On two-sided work every two of them are a front and its back. */
  pages: z.string().trim().min(1).max(200).default('all'),
  /** Finished pieces of each of its kinds. */
  quantity: z.coerce.number().int().min(1).max(100_000_000).default(1),
});

/** Reads `Cards: 1-2 x 500; 3 x 200`; returns what is not such a text unchanged. */
function readJobs(typed: unknown): unknown {
  if (typeof typed !== 'string') return typed;
  return typed
    .split(';')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, name = '', pages, quantity] = /^(?:(.*):)?(.*?)(?:[x×*]\s*(\d+)\s*)?$/.exec(part) ?? [];
      return { name, pages, ...(quantity === undefined ? {} : { quantity }) };
    });
}

export const gangRunSettingsSchema = z.object({
  sheet: sheetSettings.sheet,
  margins: sheetSettings.margins,
  gripper: sheetSettings.gripper,
  /** The jobs on the sheet; empty: every page, or every front with its back, in `copies` pieces. */
  jobs: z.preprocess(readJobs, z.array(jobSchema).max(500)).default([]),
  duplex: gridSettings.duplex,
  /** With one plate for both sides (WorkAndTurn, WorkAndTumble) one half has the fronts and the other their backs. */
  workStyle: word(workStyles).default('Sheetwise'),
  /** The gap between two pieces; `TwiceBleed`: twice the bleed amount. */
  gutter: z.union([z.literal('TwiceBleed'), length('0mm')]).default('TwiceBleed'),
  /** Whether pieces may lie turned by 90°, which board with a grain does not allow. */
  mayTurn: flag(true),
  /** Jobs that do not fit lie on further sheets; else they are named, and nothing is made. */
  furtherSheets: flag(false),
  /** A larger share of the printable area that no ordered piece covers is told. */
  wastePercent: z.coerce.number().min(0).max(100).default(0),
  pages: sheetSettings.pages,
  cellBox: sheetSettings.cellBox,
  bleed: z
    .object({
      policy: word(['FromPage', 'Fixed', 'None']).default('FromPage'),
      amount: sheetSettings.bleed.unwrap().shape.amount,
    })
    .prefault({}),
  pageSizeTolerance: sheetSettings.pageSizeTolerance,
  alignment: z.object({ point: alignmentPoint }).prefault({}),
  backOffset: sheetSettings.backOffset,
  reverseSheets: sheetSettings.reverseSheets,
  faceDown: sheetSettings.faceDown,
  copies: sheetSettings.copies,
  oversPercent: sheetSettings.oversPercent,
  marks: marksSchema,
});
export type GangRunSettings = z.output<typeof gangRunSettingsSchema>;
