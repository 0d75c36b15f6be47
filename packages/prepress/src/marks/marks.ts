import type { Mark, PlanProblem } from '@pdf2press/contract';
import { z } from 'zod';
import { length } from '../layouts/settings.ts';
import { plain, word } from '../layouts/word.ts';
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

/** Every mark there is; adding one is its folder and this line. Earlier ones take their place first. */
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
 * `crop: false` is short for a mark with all else as it is; `crop, fold` for these marks and no others, `none` for none;
 * `slug: Job {{session.id}}` for the text of the slug.
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
  return key === 'slug' && typeof value === 'string' ? { text: value } : value;
}

export const marksSchema = z
  .preprocess(
    readSwitches,
    z.object({
      /** All plates (registration colour), or black alone. */
      color: word(['All', 'K']).default('All'),
      /** Around every mark nothing else is printed for so much; 0: no halo. */
      halo: length('0mm', { max: 28 }),
      crop: crop.settings,
      fold: fold.settings,
      centre: centre.settings,
      registration: registration.settings,
      colorBar: colorBar.settings,
      grayBar: grayBar.settings,
      slug: slug.settings,
      collation: collation.settings,
      barcode: barcode.settings,
      cutLine: cutLine.settings,
      dieLine: dieLine.settings,
      cutterDots: cutterDots.settings,
      sideLay: sideLay.settings,
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

/** The marks of one side. `isStatic` picks those that are the same on every sheet of this geometry, or the others. */
export function drawMarks(
  context: MarkContext,
  settings: MarksSettings,
  isStatic: boolean,
): { marks: Mark[]; problems: PlanProblem[] } {
  const drawn: Mark[] = [];
  const problems: PlanProblem[] = [];
  for (const key of Object.keys(marks) as MarkKey[]) {
    if (!settings[key].enabled || marks[key].isStatic !== isStatic) continue;
    // Settings and drawing of one key belong together by construction of the two tables above.
    const draw = marks[key].draw as (context: MarkContext, settings: unknown) => Drawn;
    const result = draw(context, settings[key]);
    problems.push(...(result.problems ?? []));
    if (result.shapes.length === 0) continue;
    const { processingStep } = result;
    // A technical line must not knock anything out.
    const shapes = processingStep ? result.shapes : withHalo(result.shapes, settings.halo);
    drawn.push({ mark: marks[key].kind, shapes, ...(processingStep ? { processingStep } : {}) });
  }
  return { marks: drawn, problems };
}
