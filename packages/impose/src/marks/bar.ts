import type { Ink, Shape } from '@pdf2press/contract';
import { word } from '@pdf2press/settings';
import { warning } from '../sheet/problems.ts';
import { length } from '../sheet/settings.ts';
import { edgeStrip, type MarkContext } from './mark.ts';

/** Settings of marks that are a row of patches along a sheet edge. */
export const barPlace = {
  edge: word(['Top', 'Bottom', 'Left', 'Right']),
  align: word(['Start', 'Centre', 'End']).default('Centre'),
  /** Distance to the edge of the sheet. */
  offset: length('1mm'),
  patch: length('4mm', { min: 2, max: 100 }),
};

/**
 * Places patches side by side along an edge; with `fill`, as many whole sets as fit. Warns impose.markNoRoom at
 * `field`.
 */
export function drawBar(
  context: MarkContext,
  settings: {
    edge: 'Top' | 'Bottom' | 'Left' | 'Right';
    align: 'Start' | 'Centre' | 'End';
    offset: number;
    patch: number;
  },
  inks: readonly Ink[],
  { field, fill }: { field: string; fill: boolean },
) {
  const { edge, align, offset, patch } = settings;
  const isAcross = edge === 'Top' || edge === 'Bottom';
  const room = isAcross ? context.usable.width : context.usable.height;
  const sets = fill ? Math.max(1, Math.floor(room / (inks.length * patch))) : 1;
  const length = sets * inks.length * patch;
  const strip = edgeStrip(context, { edge, align, offset, length, thickness: patch });
  if (!strip) return { shapes: [], problems: [warning('impose.markNoRoom', field, { count: 1 })] };
  const shapes = Array.from(
    { length: sets * inks.length },
    (_, index): Shape => ({
      type: 'rect',
      x: strip.x + (isAcross ? index * patch : 0),
      y: strip.y + (isAcross ? 0 : index * patch),
      width: patch,
      height: patch,
      fill: inks[index % inks.length] as Ink,
    }),
  );
  return { shapes };
}
