import type { Shape } from '@pdf2press/contract';
import { defineMark } from '../mark.ts';
import { technical } from '../technical-ink.ts';
import { cutLineSettings } from './contract.ts';
import { messages } from './messages.ts';

/**
 * The trim of every page as an overprinting line in a technical ink, on its own layer with the processing step
 * Structural/Cutting (ISO 19593-1).
 */
export const cutLine = defineMark({
  kind: 'CutLine',
  key: 'cutLine',
  messages,
  settings: cutLineSettings,
  isStatic: true,
  draw: ({ cells, side }, { name, width }) => ({
    shapes:
      side === 'Back'
        ? []
        : cells
            .filter((cell) => cell.page > 0)
            .map(
              (cell): Shape => ({
                type: 'path',
                segments: [
                  ['M', [cell.x, cell.y]],
                  ['L', [cell.x + cell.width, cell.y]],
                  ['L', [cell.x + cell.width, cell.y + cell.height]],
                  ['L', [cell.x, cell.y + cell.height]],
                  ['Z', []],
                ],
                stroke: { ink: technical(name), width },
              }),
            ),
    processingStep: { group: 'Structural', type: 'Cutting' },
  }),
});
