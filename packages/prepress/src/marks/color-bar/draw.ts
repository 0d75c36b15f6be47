import type { Ink, Shape } from '@pdf2press/contract';
import { warning } from '../../layouts/problems.ts';
import { defineMark, edgeStrip, type MarkContext } from '../mark.ts';
import { colorBarSettings } from './contract.ts';

type Cmyk = [number, number, number, number];

/** Solids, overprints of two and three, halves: what a densitometer reads first on a sheet. */
const patches: readonly Cmyk[] = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
  [1, 1, 0, 0],
  [1, 0, 1, 0],
  [0, 1, 1, 0],
  [1, 1, 1, 0],
  [0.5, 0, 0, 0],
  [0, 0.5, 0, 0],
  [0, 0, 0.5, 0],
  [0, 0, 0, 0.5],
  [0.5, 0.4, 0.4, 0],
];

/** Lays patches side by side along an edge; as many whole sets as fit when it is to fill the edge. */
export function drawBar(
  context: MarkContext,
  settings: { edge: 'Top' | 'Bottom' | 'Left' | 'Right'; align: 'Start' | 'Centre' | 'End'; offset: number; patch: number },
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
  const shapes = Array.from({ length: sets * inks.length }, (_, index): Shape => ({
    type: 'rect',
    x: strip.x + (isAcross ? index * patch : 0),
    y: strip.y + (isAcross ? 0 : index * patch),
    width: patch,
    height: patch,
    fill: inks[index % inks.length] as Ink,
  }));
  return { shapes };
}

export const colorBar = defineMark({
  kind: 'ColorBar',
  key: 'colorBar',
  settings: colorBarSettings,
  isStatic: true,
  draw: (context, settings) =>
    drawBar(context, settings, patches.map((cmyk) => ({ cmyk })), { field: 'marks.colorBar', fill: settings.fill }),
});
