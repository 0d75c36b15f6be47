import type { Ink, Shape } from '@pdf2press/contract';
import { defineMark } from '../mark.ts';
import { cutLineSettings } from './contract.ts';

/** A technical ink shows as magenta where it is looked at, and prints nowhere. */
export const technical = (name: string): Ink => ({ spot: name, tint: 1, alternate: [0, 1, 0, 0] });

/**
 * The trim of every page as a line in a technical ink, on a layer of its own that says what it is (ISO 19593-1:
 * Structural, Cutting). It overprints, so that it changes nothing below.
 */
export const cutLine = defineMark({
  kind: 'CutLine',
  key: 'cutLine',
  settings: cutLineSettings,
  isStatic: true,
  draw: ({ cells, side }, { name, width }) => ({
    shapes:
      side === 'Back'
        ? []
        : cells
            .filter((cell) => cell.page > 0)
            .map((cell): Shape => ({
              type: 'path',
              segments: [
                ['M', [cell.x, cell.y]],
                ['L', [cell.x + cell.width, cell.y]],
                ['L', [cell.x + cell.width, cell.y + cell.height]],
                ['L', [cell.x, cell.y + cell.height]],
                ['Z', []],
              ],
              stroke: { ink: technical(name), width },
            })),
    processingStep: { group: 'Structural', type: 'Cutting' },
  }),
});
