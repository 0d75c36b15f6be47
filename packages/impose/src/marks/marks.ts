import type { Mark, PlanProblem } from '@pdf2press/contract';
import { plain, word } from '@pdf2press/settings';
import { z } from 'zod';
import { length } from '../sheet/settings.ts';
import { barcode } from './barcode/draw.ts';
import { centre } from './centre/draw.ts';
import { collation } from './collation/draw.ts';
import { colorBar } from './color-bar/draw.ts';
import { crop } from './crop/draw.ts';
import { cutLine } from './cut-line/draw.ts';
import { cutterDots } from './cutter-dots/draw.ts';
import { dieLine } from './die-line/draw.ts';
import { fold } from './fold/draw.ts';
import { grayBar } from './gray-bar/draw.ts';
import { withHalo } from './halo.ts';
import type { MarkContext } from './mark.ts';
import { registration } from './registration/draw.ts';
import { sideLay } from './side-lay/draw.ts';
import { slug } from './slug/draw.ts';

/**
 * Every kind of mark by its key in a profile. They are placed in this order, so earlier ones get their position first.
 */
export const marks = {
  crop,
  fold,
  sideLay,
  cutterDots,
  registration,
  colorBar,
  grayBar,
  centre,
  slug,
  collation,
  barcode,
  cutLine,
  dieLine,
};

/**
 * Expands short forms: `{ crop: false }` switches one mark, `'crop, fold'` switches on these marks and all others off,
 * `'none'` switches all off, `{ slug: 'Job {{session.id}}' }` sets the mark's main setting.
 */
function readSwitches(value: unknown): unknown {
  if (typeof value === 'string') {
    const names = value.split(',').map(plain);
    const keys = Object.keys(marks);
    const isKnown = names.every((name) => name === 'none' || keys.some((key) => plain(key) === name));
    return isKnown ? Object.fromEntries(keys.map((key) => [key, { enabled: names.includes(plain(key)) }])) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, readSwitch(key, one)]));
}

function readSwitch(key: string, value: unknown): unknown {
  const switched = { true: true, on: true, false: false, off: false }[String(value).toLowerCase()];
  if (switched !== undefined) return { enabled: switched };
  const main = Object.hasOwn(marks, key) ? marks[key as MarkKey].main : undefined;
  return main !== undefined && typeof value === 'string' ? { [main]: value } : value;
}

type MarkSettings = { readonly [K in MarkKey]: (typeof marks)[K]['settings'] };
// Object.fromEntries loses which schema belongs to which key; MarkSettings states it from the same table.
const markSettings = Object.fromEntries(
  Object.entries(marks).map(([key, { settings }]) => [key, settings]),
) as unknown as MarkSettings;

export const marksSchema = z
  .preprocess(
    readSwitches,
    z.object({
      /** All plates (registration colour) or black only. */
      color: word(['All', 'K']).default('All'),
      /** Width of the unprinted area around each mark; 0: none. */
      halo: length('0mm', { max: 28 }),
      ...markSettings,
    }),
  )
  .prefault({});
export type MarksSettings = z.output<typeof marksSchema>;

export type MarkKey = keyof typeof marks;

interface Drawn {
  shapes: Mark['shapes'];
  problems?: PlanProblem[];
  processingStep?: Mark['processingStep'];
}

/** Draws the marks of one side: those that are equal on all sheets of equal geometry (`isStatic`), or the others. */
export function drawMarks(
  context: MarkContext,
  settings: MarksSettings,
  isStatic: boolean,
): { marks: Mark[]; problems: PlanProblem[] } {
  const drawn: Mark[] = [];
  const problems: PlanProblem[] = [];
  for (const key of Object.keys(marks) as MarkKey[]) {
    if (!settings[key].enabled || marks[key].isStatic !== isStatic) continue;
    // The settings of a key were parsed with the schema of the same definition, which TypeScript cannot relate here.
    const draw = marks[key].draw as (context: MarkContext, settings: unknown) => Drawn;
    const result = draw(context, settings[key]);
    problems.push(...(result.problems ?? []));
    if (result.shapes.length === 0) continue;
    const { processingStep } = result;
    // Technical lines overprint, so they get no halo.
    const shapes = processingStep ? result.shapes : withHalo(result.shapes, settings.halo);
    drawn.push({ mark: marks[key].kind, shapes, ...(processingStep ? { processingStep } : {}) });
  }
  return { marks: drawn, problems };
}
